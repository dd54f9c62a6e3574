/**
 * What the messages of a page say. It is loaded after the page, because only PostgreSQL can tell how large it is before it is
 * here: a page ends where its contents reach a number of bytes, and what goes beyond what an answer may hold is never loaded.
 * Those who ask at the same time, for the pages of many threads, share one statement.
 */
import type { Context } from '../../builder.js';
import type { ContentBlock } from './content.js';

/** Bytes of JSON in a page; the message that reaches them is its last. */
export const pageBytes = 8 * 1024 * 1024;
/** Bytes that one statement loads. */
const statementBytes = 32 * 1024 * 1024;

interface PageRequest {
  ids: readonly string[];
  resolve: (contents: ReadonlyMap<string, ContentBlock[]>) => void;
  reject: (error: unknown) => void;
}

interface ContentRow {
  id: string;
  page: number;
  bytes: number;
  /** Null where all together are more than may be loaded: then none is. */
  contents: ContentBlock[] | null;
}

/** The pages that are asked for at this moment, by the answer that they are for. */
const waiting = new WeakMap<object, PageRequest[]>();

/**
 * The contents of the first of these messages, as many as a page may hold and one at least. Throws `LIMIT_EXCEEDED` where all
 * pages together are too large for one answer.
 */
export function loadPageContents(
  context: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ContentBlock[]>> {
  return new Promise((resolve, reject) => {
    const request = { ids, resolve, reject };
    const others = waiting.get(context.answer);
    if (others) return others.push(request);
    waiting.set(context.answer, [request]);
    setImmediate(() => void loadWaiting(context));
  });
}

async function loadWaiting(context: Context): Promise<void> {
  const requests = waiting.get(context.answer) ?? [];
  waiting.delete(context.answer);
  try {
    const rows = await readContents(context, requests);
    const pages = requests.map(() => new Map<string, ContentBlock[]>());
    for (const { id, page, bytes, contents } of rows) {
      if (!contents) context.answer.take(statementBytes + bytes);
      else pages[page]?.set(id, contents);
    }
    for (const [index, { resolve }] of requests.entries()) resolve(pages[index] ?? new Map());
  } catch (error) {
    for (const { reject } of requests) reject(error);
  }
}

function readContents({ database }: Context, requests: readonly PageRequest[]): Promise<ContentRow[]> {
  const ids = requests.flatMap((request) => request.ids);
  const pages = requests.flatMap((request, page) => request.ids.map(() => page));
  // Each message is measured once: it is read and written out as text for that.
  return database.$queryRaw<ContentRow[]>`
    WITH sized AS MATERIALIZED (
      SELECT id, octet_length(contents::text) AS bytes FROM message WHERE id = ANY(${[...new Set(ids)]}::text[]))
    SELECT fitting.id, fitting.page, fitting.bytes,
      CASE WHEN fitting.total <= ${statementBytes} THEN m.contents END AS contents
    FROM (
      SELECT id, page, bytes, place, sum(bytes) OVER () AS total FROM (
        SELECT sized.id, wanted.page, wanted.place, sized.bytes,
          sum(sized.bytes) OVER (PARTITION BY wanted.page ORDER BY wanted.place) AS in_page
        FROM unnest(${ids}::text[], ${pages}::int[]) WITH ORDINALITY AS wanted (id, page, place)
        JOIN sized ON sized.id = wanted.id) measured
      WHERE in_page - bytes < ${pageBytes}) fitting
    JOIN message m ON m.id = fitting.id
    ORDER BY fitting.place`;
}
