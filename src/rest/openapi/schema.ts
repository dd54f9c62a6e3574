import type { JsonSchema } from '../json-schema.js';

/** A reference to a schema of the document. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The same schema for other tools, which would stumble over `storable`, our own keyword of validation. */
export function withoutOwnKeywords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwnKeywords);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([keyword]) => keyword !== 'storable');
  return Object.fromEntries(kept.map(([keyword, inner]) => [keyword, withoutOwnKeywords(inner)]));
}
