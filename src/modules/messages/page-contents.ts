/**
 * What messages say. It is loaded after everything else, and never by Prisma, because only PostgreSQL can tell how large it is
 * before it is here: a page ends where its contents reach a number of bytes, what goes beyond what an answer may hold is never
 * loaded, and what is not small waits for room in memory first. Those who ask at the same time share one statement.
 */
import { Prisma } from '../../../prisma/generated/client/client.js';
import type { Context } from '../../builder.js';
import type { ContentBlock } from './content.js';

/** What a selection has of a message instead of its contents, where they are asked for. */
export const contentsMark = { position: true } as const;

/** Bytes of JSON in a page; the message that reaches them is its last. */
export const pageBytes = 8 * 1024 * 1024;

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

/** By the answer that they are for. */
const loaders = new WeakMap<object, ContentLoader>();

/**
 * The contents of the first of these messages, as many as a page may hold and one at least. Throws `LIMIT_EXCEEDED` where all
 * that the operation loads is too large for one answer, or there is no room for it.
 */
export function loadPageContents(
  context: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ContentBlock[]>> {
  const loader = loaders.get(context.answer) ?? new ContentLoader(context);
  loaders.set(context.answer, loader);
  return loader.load(ids);
}

class ContentLoader {
  #waiting: PageRequest[] = [];
  #isLoading = false;

  constructor(private readonly context: Context) {}

  load(ids: readonly string[]): Promise<ReadonlyMap<string, ContentBlock[]>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ids, resolve, reject });
      if (this.#isLoading) return;
      this.#isLoading = true;
      setImmediate(() => void this.#loadWaiting());
    });
  }

  /** One statement at a time: what the next may load depends on what the last has loaded. */
  async #loadWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const requests = this.#waiting;
      this.#waiting = [];
      try {
        const pages = await loadPages(this.context, requests);
        for (const [index, { resolve }] of requests.entries()) resolve(pages[index] ?? new Map());
      } catch (error) {
        for (const { reject } of requests) reject(error);
      }
    }
    this.#isLoading = false;
  }
}

async function loadPages(context: Context, requests: readonly PageRequest[]): Promise<Map<string, ContentBlock[]>[]> {
  const { answer } = context;
  let rows = await readContents(context, requests);
  if (rows.some(({ contents }) => contents === null)) {
    await answer.makeRoomFor(bytesOf(rows));
    rows = await readContents(context, requests);
  }
  // Also where they have grown meanwhile and were not loaded.
  answer.load(bytesOf(rows));
  const pages = requests.map(() => new Map<string, ContentBlock[]>());
  for (const { id, page, contents } of rows) pages[page]?.set(id, contents ?? []);
  return pages;
}

function bytesOf(rows: readonly ContentRow[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

function readContents({ database, answer }: Context, requests: readonly PageRequest[]): Promise<ContentRow[]> {
  const pages = requests.map((request) => request.ids);
  return database.$queryRaw<ContentRow[]>(contentsSql(pages, answer.loadable));
}

/** The statement that reads the contents of these pages of messages. Exported so that a test can tell what the worst text costs. */
export function contentsSql(pageIds: readonly (readonly string[])[], loadable: number): Prisma.Sql {
  const ids = pageIds.flat();
  const pages = pageIds.flatMap((page, place) => page.map(() => place));
  // Each message is measured once: it is read and written out as text for that.
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
