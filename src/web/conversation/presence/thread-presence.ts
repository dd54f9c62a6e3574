/**
 * Who else is in a thread, followed over the connection that all subscriptions of the page share. Following is what makes the
 * user count as reading, so it ends while the page is hidden, at once and not only when the page is idle.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { runMutation } from '../../api/client.js';
import {
  announceWritingMutation,
  type PeopleInThread,
  threadPresenceSubscription,
} from '../../api/late/presence-documents.js';
import { follow } from '../../api/live.js';
import { Store } from '../../ui/state/store.js';
import { typing } from '../composer/typing-signal.js';

export type PresentPerson = PeopleInThread['people'][number];

/** Half of the time for which an announcement holds. */
const announceMs = 3000;
const nobody: PeopleInThread = { people: [], writing: [], count: 0 };

class ThreadPresence extends Store<PeopleInThread> {
  #holders = 0;
  #unfollow: (() => void) | undefined;
  #stopTyping: (() => void) | undefined;
  #announcedMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly threadId: string) {
    super(nobody);
  }

  /** Follows who is there while the page is visible, until the returned function is called. */
  readonly hold = (): (() => void) => {
    this.#holders += 1;
    if (this.#holders === 1) this.#begin();
    return () => {
      this.#holders -= 1;
      if (this.#holders === 0) this.#end();
    };
  };

  #begin(): void {
    open.set(this.threadId, this);
    this.#stopTyping = typing.on((place) => place === this.threadId && this.#announce());
    document.addEventListener('visibilitychange', this.#update);
    this.#update();
  }

  #end(): void {
    this.#stopTyping?.();
    document.removeEventListener('visibilitychange', this.#update);
    this.#leave();
    open.delete(this.threadId);
    this.set(nobody);
  }

  readonly #update = (): void => {
    if (document.hidden) this.#leave();
    else
      this.#unfollow ??= follow({
        document: threadPresenceSubscription,
        variables: { threadId: this.threadId },
        next: ({ threadPresence }) => this.set(threadPresence),
        refused: () => this.set(nobody),
      });
  };

  #leave(): void {
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  /** Tells the others that the user writes, if there are any. A failure is not repeated: the next key announces again. */
  #announce(): void {
    const now = performance.now();
    if (this.getState().count === 0 || now - this.#announcedMs < announceMs) return;
    this.#announcedMs = now;
    void runMutation(announceWritingMutation, { threadId: this.threadId });
  }
}

const open = new Map<string, ThreadPresence>();

function presenceOf(threadId: string): ThreadPresence {
  const presence = open.get(threadId) ?? new ThreadPresence(threadId);
  open.set(threadId, presence);
  return presence;
}

export function useThreadPresence(threadId: string): PeopleInThread {
  const presence = presenceOf(threadId);
  useEffect(() => presence.hold(), [presence]);
  return useSyncExternalStore(presence.subscribe, presence.getState);
}
