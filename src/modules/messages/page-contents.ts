/**
 * Loads the contents of messages, after everything else and without Prisma, because only PostgreSQL can tell their size
 * before they are loaded: a page ends where its contents reach a number of bytes, contents beyond the limit of the
 * response are never loaded, and larger ones wait for memory first. Concurrent loads share one statement.
 */
import { Prisma } from '../../../prisma/generated/client/client.js';
import { Batches, type LoadContext } from '../batches.js';
import { loadWithRoom } from '../load-with-room.js';
import type { ContentBlock } from './content.js';

/** The selection that stands for the contents of a message. */
export const placeholderSelection = { position: true } as const;

export function hasContents(select: object): boolean {
  return Object.keys(placeholderSelection).every((column) => column in select);
}

/** Maximum bytes of JSON in a page; the message that reaches it is the last. */
export const pageBytes = 8 * 1024 * 1024;

interface ContentRow {
  id: string;
  page: number;
  bytes: number;
  /** Null if all together exceed what may be loaded; then none is loaded. */
  contents: ContentBlock[] | null;
}

type Contents = ReadonlyMap<string, ContentBlock[]>;

const batches = new Batches<readonly string[], Contents>(loadPages);

/**
 * Loads the contents of the first of these messages, at least one and as many as a page may have. Throws
 * `LIMIT_EXCEEDED` if the operation loads too much for one response or there is no room for it.
 */
export function loadPageContents(context: LoadContext, ids: readonly string[]): Promise<Contents> {
  return batches.load(context, ids);
}

async function loadPages(
  { database, answer }: LoadContext,
  pageIds: readonly (readonly string[])[],
): Promise<Contents[]> {
  const rows = await loadWithRoom(answer, {
    read: () => database.$queryRaw<ContentRow[]>(contentsSql(pageIds, answer.loadable)),
    isLeft: ({ contents }) => contents === null,
  });
  const pages = pageIds.map(() => new Map<string, ContentBlock[]>());
  for (const { id, page, contents } of rows) pages[page]?.set(id, contents ?? []);
  return pages;
}

/**
 * The statement that reads the contents of pages of messages. Exported so that a test can measure the cost of the worst
 * text.
 */
export function contentsSql(pageIds: readonly (readonly string[])[], loadable: number): Prisma.Sql {
  const ids = pageIds.flat();
  const pages = pageIds.flatMap((page, place) => page.map(() => place));
  // Each message is measured once, because measuring reads and serializes it.
  return Prisma.sql`
    WITH sized AS MATERIALIZED (
      SELECT id, octet_length(contents::text) AS bytes FROM message WHERE id = ANY(${[...new Set(ids)]}::text[]))
    SELECT fitting.id, fitting.page, fitting.bytes,
      CASE WHEN fitting.total <= ${loadable} THEN m.contents END AS contents
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
