import type { JsonSchema } from './json-schema.js';
import { storableText } from './schemas.js';

/** The query parameters of a list (specification, Pagination); `item` is what is listed. */
export function pageParameters(item: 'thread' | 'message'): Record<'limit' | 'after', JsonSchema> {
  return {
    limit: {
      type: 'integer',
      minimum: 1,
      default: 50,
      description: `How many ${item}s a page has at most. Values above 200 are clamped to 200.`,
    },
    after: { ...storableText, maxLength: 500, description: `Return ${item}s after this ${item} id.` },
  };
}
