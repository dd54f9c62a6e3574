/** Which answer of a conversation is followed: the one to its newest message, from when it was accepted until it is fetched. */
import { Store } from '../../ui/state/store.js';
import { type ConversationState, isAnswered, stageOf, withoutLive } from './conversation-state.js';
import { LiveAnswer } from './live-answer.js';

export abstract class FollowedAnswer extends Store<ConversationState> {
  /** Nobody sees what comes before and after. */
  protected isFollowed = false;

  /** Fetches what has been added. */
  abstract readonly refresh: () => Promise<void>;

  /** All that there is at the end has been fetched. */
  protected settle(): void {
    const { isOver, next } = stageOf(this.getState());
    if (isOver) this.endLive();
    this.set({ status: 'ready', problem: null });
    if (next) this.follow(next);
  }

  protected follow(messageId: string): void {
    const { live, newest } = this.getState();
    // Where a request took a second try, all may have been said by now.
    if (!this.isFollowed || live?.messageId === messageId || isAnswered(newest, messageId)) return;
    this.endLive();
    this.set({ live: new LiveAnswer(messageId, () => void this.refresh()) });
  }

  protected endLive(): void {
    const { live } = this.getState();
    if (!live) return;
    live.close();
    this.set(withoutLive(this.getState(), live));
  }
}
