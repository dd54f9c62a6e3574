import type { JsonSchema } from './json-schema.js';
import { storableText } from './schemas.js';

/** The query parameters of a list of threads or messages (specification, Pagination). */
export function pageParameters(item: 'thread' | 'message') {
  return {
    limit: {
      type: 'integer',
      minimum: 1,
      default: 50,
      description: `Maximum number of ${item}s of a page. Values above 200 are clamped to 200.`,
    },
    after: { ...storableText, maxLength: 500, description: `Return only ${item}s after the ${item} with this id.` },
  } as const satisfies Record<string, JsonSchema>;
}
