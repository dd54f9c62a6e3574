/**
 * Decides which answer of a conversation is streamed: the one to the newest message, from when that message is accepted
 * until the answer is loaded.
 */
import { Store } from '../../ui/state/store.js';
import { type ConversationState, isAnswered, stageOf, withoutLive } from './conversation-state.js';
import { LiveAnswer } from './live-answer.js';

export abstract class FollowedAnswer extends Store<ConversationState> {
  /** Whether the conversation is shown. Changes before and after that are ignored. */
  protected isFollowed = false;

  /** Loads what was added. */
  abstract readonly refresh: () => Promise<void>;

  /** Called when the end of the conversation is up to date. */
  protected settle(): void {
    const { isOver, next } = stageOf(this.getState());
    if (isOver) this.endLive();
    this.set({ status: 'ready', problem: null });
    if (next) this.follow(next);
  }

  protected follow(messageId: string): void {
    const { live, newest } = this.getState();
    // After a retried request, the answer may already be complete.
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
