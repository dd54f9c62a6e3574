/**
 * Tracks what is open in this process (streams, uploads, downloads) and on whose access it depends. It ends immediately
 * when its token, session or membership ends or its thread becomes private or is deleted. Notifications report this, and a check
 * every second finds what no notification reported.
 */

import { UnauthenticatedError } from '../../errors.js';
import type { Ending } from '../../platform/async/cancellable-stream.js';
import type { Viewer } from './authenticate.js';

export interface Access {
  viewer: Pick<Viewer, 'tokenId' | 'userId'>;
  /** The thread that is shown, if it is a single one. */
  threadId?: string | null;
}

const isOver = Symbol('the access is over');

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
    const topics = [access.viewer.tokenId, access.viewer.userId, ...(access.threadId ? [access.threadId] : [])];
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
    const ended = new Promise<typeof isOver>((resolve) => {
      leave = this.enter({ viewer }, () => resolve(isOver));
    });
    try {
      const result = await Promise.race([work, ended]);
      if (result !== isOver) return result;
    } finally {
      leave();
    }
    throw viewer.sessionEnd
      ? new UnauthenticatedError('signed_out', await viewer.sessionEnd())
      : new UnauthenticatedError('invalid');
  }

  /** What ends a stream together with the access to it. */
  endOf(access: Access): Ending {
    return (end) => this.enter(access, end);
  }

  /**
   * Handles a notification: the id of a token, a session, a user or a deleted thread, or of a thread that became private
   * and its owner.
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
