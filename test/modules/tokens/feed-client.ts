import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { decodeChangeCursor, encodeChangeCursor } from '../../../src/modules/feeds/change-cursor.js';
import { readChanges } from '../../../src/modules/feeds/read-changes.js';
import type { Viewer } from '../../../src/modules/identity/authenticate.js';
import { visibleTo } from '../../../src/modules/threads/visibility.js';

export interface View {
  id: string;
  name: string | null;
  archived: boolean;
  isPrivate: boolean;
}

const select = { id: true, name: true, archived: true, isPrivate: true } as const;

/** Keeps a list of threads by what the feed says, as a client does: it leaves in the middle of pages, and comes back. */
export class FeedClient {
  /** What the client holds now. */
  readonly threads = new Map<string, View>();
  /** Every thread that the feed ever named. */
  readonly named = new Set<string>();
  #cursor: string | undefined;

  constructor(
    private readonly database: PrismaClient,
    private readonly viewer: Viewer,
  ) {}

  /** Takes the present position, and then the list. */
  async start(): Promise<void> {
    const page = await readChanges(this.database, { viewer: this.viewer, after: null, limit: 1 });
    if (!page) throw new Error('The feed gave no position.');
    this.#cursor = encodeChangeCursor(page.next);
    for (const thread of await this.list()) this.threads.set(thread.id, thread);
  }

  /** Reads a page of up to `limit` changes and applies at most `taken` of them. True when there is nothing more. */
  async read(limit: number, taken = limit): Promise<boolean> {
    const after = decodeChangeCursor(this.#cursor ?? '');
    const page = await readChanges(this.database, { viewer: this.viewer, after, limit });
    if (!page) throw new Error('The feed ended.');
    for (const { threadId, isVisible, cursor } of page.changes.slice(0, taken)) {
      this.named.add(threadId);
      const where = { id: threadId, AND: [visibleTo(this.viewer)] };
      const thread = await this.database.thread.findFirst({ select, where });
      if (thread) this.threads.set(threadId, thread);
      else if (!isVisible) this.threads.delete(threadId);
      this.#cursor = encodeChangeCursor(cursor);
    }
    if (taken < page.changes.length) return false;
    this.#cursor = encodeChangeCursor(page.next);
    return page.isLast;
  }

  /** Reads to the end; throws where that does not come. */
  async catchUp(limit: number): Promise<void> {
    for (let pages = 0; pages < 200; pages += 1) if (await this.read(limit)) return;
    throw new Error('The feed has no end.');
  }

  /** What the viewer's list holds now. */
  list(): Promise<View[]> {
    return this.database.thread.findMany({ select, where: visibleTo(this.viewer), orderBy: { id: 'asc' } });
  }

  /** What the client holds, in the order of `list`. */
  held(): View[] {
    return [...this.threads.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}
