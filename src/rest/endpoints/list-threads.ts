import { defaultThreadOrder, textLimits } from '../../contract.js';
import { operation } from '../../graphql/gateway/operation.js';
import { endpoint } from '../endpoint.js';
import { pageParameters } from '../page-parameters.js';
import { limitOf, presentPage } from '../presenters/page.js';
import { presentThread, threadFragment } from '../presenters/thread.js';
import { storableText } from '../schemas.js';

const Threads = operation(`
  query Threads($first: Int!, $after: String, $filter: ThreadFilter!, $orderBy: ThreadOrder!) {
    threads(first: $first, after: $after, filter: $filter, orderBy: $orderBy, remember: true) {
      edges { node { ...Thread } }
      pageInfo { hasNextPage }
      endId
    }
  }
  ${threadFragment}`);

const fields = { updated_at: 'UPDATED_AT', created_at: 'CREATED_AT' } as const;
const directions = { asc: 'ASC', desc: 'DESC' } as const;

export const listThreads = endpoint({
  method: 'GET',
  path: '/threads',
  operationId: 'listThreads',
  summary: 'Lists the threads that are visible to the authenticated user.',
  operation: Threads,
  query: {
    owned: { type: 'boolean', description: 'Return only your own threads (true) or only those of others (false).' },
    private: { type: 'boolean', description: 'Return only private threads (true) or only public ones (false).' },
    archived: { type: 'boolean', default: false, description: 'Whether to include archived threads.' },
    q: {
      ...storableText,
      maxLength: textLimits.search.max,
      description:
        'Full-text search in names and messages of threads, and in the title that the model gave a thread without a name. One request examines a bounded part of the list, so its page may end before it is full, even empty: while `has_more` is true, pass `last_id` as `after` to search on.',
    },
    sort_by: {
      type: 'string',
      enum: ['updated_at', 'created_at'],
      default: defaultThreadOrder.field,
      description: 'Field to sort by.',
    },
    sort_dir: {
      type: 'string',
      enum: ['asc', 'desc'],
      default: defaultThreadOrder.direction,
      description: 'Direction of sorting.',
    },
    updated_since: {
      type: 'string',
      format: 'date-time',
      description:
        'Return only threads updated after this time: any ISO 8601 date-time (extended or basic format; calendar, week or ordinal date). The default offset is UTC, the default time midnight.',
    },
    ...pageParameters('thread'),
  },
  responses: { 200: { description: 'A page of threads.', schema: 'ThreadPage' } },
  problems: {
    400: {
      description: 'A parameter is invalid, or `after` is not the id of a thread that you can see.',
      codes: ['invalid_request', 'invalid_cursor'],
    },
  },
  async handle(session, { query }) {
    const limit = limitOf(query);
    const { owned, private: isPrivate, archived, q, updated_since: updatedSince } = query;
    const { threads } = await session.run(Threads, {
      first: limit,
      after: query.after,
      filter: { owned, private: isPrivate, archived, q, updatedSince },
      orderBy: {
        field: fields[query.sort_by ?? defaultThreadOrder.field],
        direction: directions[query.sort_dir ?? defaultThreadOrder.direction],
      },
    });
    return { status: 200, body: presentPage(threads, { limit, present: presentThread }) };
  },
});
