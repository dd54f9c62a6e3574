/**
 * Tracks what is open in this process (streams, uploads, downloads) and on whose access it depends. It ends immediately
 * when its token, session or membership ends or its thread becomes private. Notifications report this, and a check
 * every second finds what no notification reported.
 */
import { UnauthenticatedError } from '../../errors.js';
import type { Viewer } from './authenticate.js';
import { isSession } from './session.js';

export interface Access {
  viewer: Pick<Viewer, 'tokenId' | 'userId'>;
  /** The thread that is shown, if it is a single one. */
  threadId?: string | null;
}

interface Entry extends Access {
  end: () => void;
}

/** Everything that open access depends on, without duplicates. */
export interface OpenKeys {
  tokenIds: string[];
  /** Threads with the users who follow them. */
  views: { threadId: string; userId: string }[];
}

export class OpenAccess {
  readonly #byTopic = new Map<string, Set<Entry>>();

  /** Calls `end` once when the access ends, unless the returned function is called first. */
  enter(access: Access, end: () => void): () => void {
    const entry: Entry = { ...access, end };
    const topics = topicsOf(access);
    for (const topic of topics) this.#byTopic.set(topic, (this.#byTopic.get(topic) ?? new Set()).add(entry));
    return () => {
      for (const topic of topics) {
        const entries = this.#byTopic.get(topic);
        entries?.delete(entry);
        if (entries?.size === 0) this.#byTopic.delete(topic);
      }
    };
  }

  /**
   * Resolves to the result of the work; rejects with an `UnauthenticatedError` if the viewer's token or session ends
   * first.
   */
  async during<T>(viewer: Viewer, work: Promise<T>): Promise<T> {
    let leave = (): void => undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      const reason = isSession(viewer) ? 'signed_out' : 'invalid';
      leave = this.enter({ viewer }, () => reject(new UnauthenticatedError(reason)));
    });
    try {
      return await Promise.race([work, ended]);
    } finally {
      leave();
    }
  }

  /** Passes on events for as long as the access lasts. `return()` of the source must settle a pending `next()`. */
  guard<T>(events: AsyncIterableIterator<T, void, void>, access: Access): AsyncIterableIterator<T, void, void> {
    return new GuardedEvents(events, (end) => this.enter(access, end));
  }

  /**
   * Handles a notification: the id of a token, a session or a user, or of a thread that became private and its owner.
   */
  receive(payload: string): void {
    const [topic = '', ownerId] = payload.split(' ');
    for (const { viewer, end } of [...(this.#byTopic.get(topic) ?? [])]) if (viewer.userId !== ownerId) end();
  }

  get size(): number {
    return this.#byTopic.size;
  }

  keys(): OpenKeys {
    const tokenIds = new Set<string>();
    const views = new Map<string, OpenKeys['views'][number]>();
    for (const entries of this.#byTopic.values()) {
      for (const { viewer, threadId } of entries) {
        const { tokenId, userId } = viewer;
        tokenIds.add(tokenId);
        if (threadId) views.set(`${threadId} ${userId}`, { threadId, userId });
      }
    }
    return { tokenIds: [...tokenIds], views: [...views.values()] };
  }
}

function topicsOf({ viewer: { tokenId, userId }, threadId }: Access): string[] {
  return threadId ? [tokenId, userId, threadId] : [tokenId, userId];
}

class GuardedEvents<T> implements AsyncIterableIterator<T, void, void> {
  readonly #leave: () => void;
  #isOver = false;

  constructor(
    private readonly events: AsyncIterableIterator<T, void, void>,
    enter: (end: () => void) => () => void,
  ) {
    this.#leave = enter(() => void this.return());
  }

  async next(): Promise<IteratorResult<T, void>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      const result = await this.events.next();
      if (result.done) this.#leave();
      // An event read before the end of access must not be delivered after it.
      return this.#isOver ? { done: true, value: undefined } : result;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<T, void>> {
    this.#isOver = true;
    this.#leave();
    await this.events.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
