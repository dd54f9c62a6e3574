/**
 * Notices when an answer in a thread of the viewer ends while the page is hidden, for those who want to be notified. While an
 * answer runs, the connection of a hidden page stays open: otherwise nobody would hear of its end.
 */
import { stayActive } from '../../api/idle-disconnect.js';
import type { Thread } from '../../api/types.js';
import { importWithRetry } from '../../ui/state/import-with-retry.js';
import { isAwaited } from '../store/thread-state.js';
import { wantsNotifications } from './notification-choice.js';

/** For another tab to say that the thread was read there. */
const readElsewhereMs = 1000;

export interface NotifiedList {
  viewerId: string;
  isUnread: (threadId: string) => boolean;
}

export class AnswerEnds {
  readonly #running = new Set<string>();
  #release: (() => void) | undefined;

  constructor(private readonly list: NotifiedList) {}

  /** To be called with each thread as it is now. */
  note(thread: Thread): void {
    if (thread.owner.id !== this.list.viewerId) return;
    const isRunning = isAwaited(thread);
    const ended = !isRunning && this.#running.has(thread.id);
    if (isRunning) this.#running.add(thread.id);
    else this.#running.delete(thread.id);
    this.#hold();
    // Somebody has stopped an interrupted one, and knows of it.
    if (ended && thread.state !== 'INTERRUPTED' && document.hidden) this.#notifySoon(thread);
  }

  /** Called for a thread that is no longer visible. */
  forget(threadId: string): void {
    this.#running.delete(threadId);
    this.#hold();
  }

  /** Lets a hidden page close its connection again. */
  close(): void {
    this.#running.clear();
    this.#hold();
  }

  #hold(): void {
    if (this.#running.size > 0 && wantsNotifications()) this.#release ??= stayActive();
    else {
      this.#release?.();
      this.#release = undefined;
    }
  }

  #notifySoon(thread: Thread): void {
    if (!wantsNotifications()) return;
    setTimeout(async () => {
      const { notifyOfAnswer } = await importWithRetry(() => import('./answer-notification.js'));
      if (document.hidden && this.list.isUnread(thread.id)) notifyOfAnswer(thread);
    }, readElsewhereMs);
  }
}
