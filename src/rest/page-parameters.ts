import { clampedPageSize, defaultPageSize } from '../contract.js';
import type { JsonSchema } from './json-schema.js';
import { cursorText } from './schemas.js';

/** The query parameters of a list of threads or messages (specification, Pagination). */
export function pageParameters(item: 'thread' | 'message') {
  return {
    limit: {
      type: 'integer',
      minimum: 1,
      default: defaultPageSize,
      description: `Maximum number of ${item}s of a page. ${clampedPageSize}`,
    },
    after: { ...cursorText, description: `Return only ${item}s after the ${item} with this id.` },
  } as const satisfies Record<string, JsonSchema>;
}
