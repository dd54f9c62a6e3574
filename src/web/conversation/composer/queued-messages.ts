/**
 * Messages that wait for the end of the answer, at most one in each thread. Each is sent as soon as its thread accepts it, even
 * if another thread is open by then. They are lost with the page, but what they say stays stored as the draft of the thread.
 */
import { threadChangedSubscription } from '../../api/conversation-documents.js';
import { stayActive } from '../../api/idle-disconnect.js';
import { follow } from '../../api/live.js';
import { onSessionEnd } from '../../api/session-ended.js';
import { isAwaited } from '../../threads/store/thread-state.js';
import { Store } from '../../ui/state/store.js';
import type { DraftFile } from './draft-attachments.js';

export interface QueuedMessage {
  text: string;
  files: readonly DraftFile[];
}

export interface QueueHandlers {
  /** Sends the message. A thread whose answer was stopped has to be told that this is known. */
  deliver: (message: QueuedMessage, onBusy: 'REJECT' | 'INTERRUPT') => void;
  /** Called if the thread takes no more messages. */
  giveBack: (message: QueuedMessage) => void;
}

interface Waiting {
  message: QueuedMessage;
  stop: () => void;
}

class QueuedMessages extends Store<{ waiting: ReadonlyMap<string, Waiting> }> {
  constructor() {
    super({ waiting: new Map() });
    onSessionEnd(() => {
      for (const threadId of this.getState().waiting.keys()) this.take(threadId);
    });
  }

  add(threadId: string, message: QueuedMessage, { deliver, giveBack }: QueueHandlers): void {
    const release = stayActive();
    const unfollow = follow({
      document: threadChangedSubscription,
      variables: { id: threadId },
      next: ({ threadChanged }) => {
        if (isAwaited(threadChanged)) return;
        const taken = this.take(threadId);
        if (!taken) return;
        if (threadChanged.state === 'ERROR') giveBack(taken);
        else deliver(taken, threadChanged.state === 'INTERRUPTED' ? 'INTERRUPT' : 'REJECT');
      },
      refused: () => {
        const taken = this.take(threadId);
        if (taken) giveBack(taken);
      },
    });
    const stop = () => {
      release();
      unfollow();
    };
    this.set({ waiting: new Map(this.getState().waiting).set(threadId, { message, stop }) });
  }

  /** Takes a message out of the queue. */
  take(threadId: string): QueuedMessage | undefined {
    const waiting = new Map(this.getState().waiting);
    const taken = waiting.get(threadId);
    if (!waiting.delete(threadId)) return undefined;
    taken?.stop();
    this.set({ waiting });
    return taken?.message;
  }

  find(threadId: string): QueuedMessage | undefined {
    return this.getState().waiting.get(threadId)?.message;
  }
}

export const queuedMessages = new QueuedMessages();
