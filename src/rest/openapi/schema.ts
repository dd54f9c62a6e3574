/** The schema without `storable`, our own keyword for validation, which other tools do not know. */
export function withoutOwnKeywords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwnKeywords);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([keyword]) => keyword !== 'storable');
  return Object.fromEntries(kept.map(([keyword, inner]) => [keyword, withoutOwnKeywords(inner)]));
}
