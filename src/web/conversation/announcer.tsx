/**
 * Announces a growing answer to screen readers, whole sentences at a time. Single tokens would be unintelligible, and the
 * complete answer would come too late. Nobody needs to hear the marks of Markdown. An answer that ends early says so.
 */
import { useEffect, useState } from 'react';
import { withoutMarkdown } from '../threads/panel/without-markdown.js';
import { endTexts } from './messages/stopped-note.js';
import type { ConversationState } from './store/conversation-state.js';
import type { ConversationStore } from './store/conversation-store.js';

const pauseMs = 1500;
const sentenceEnd = /[.!?。！？:]["')\]]?\s|\n\n/g;

/** `messageId` is the message that is being answered. */
export function Announcer({ store, messageId }: { store: ConversationStore; messageId: string | undefined }) {
  const [spoken, setSpoken] = useState({ turn: 0, text: '' });
  useEffect(() => {
    if (!messageId) return;
    let text = '';
    let said = '';
    const hear = () => {
      const live = store.getLive();
      if (live?.messageId === messageId) text = live.text;
    };
    hear();
    const stop = store.subscribe(hear);
    const say = (end: number, ending = '') => {
      // A new attempt starts from the beginning.
      if (!text.startsWith(said)) said = '';
      const next = text.slice(said.length, end) + ending;
      if (next) setSpoken(({ turn }) => ({ turn: turn + 1, text: next }));
      said = text.slice(0, Math.max(end, said.length));
    };
    const timer = setInterval(() => say(lastSentenceEnd(text)), pauseMs);
    return () => {
      clearInterval(timer);
      stop();
      say(text.length, earlyEnd(store.getState(), messageId));
    };
  }, [store, messageId]);
  return (
    <div className="visually-hidden" aria-live="polite">
      {/* A new element, since the same words as before would not be heard again. */}
      <span key={spoken.turn}>{withoutMarkdown(spoken.text)}</span>
    </div>
  );
}

function earlyEnd({ newest }: ConversationState, messageId: string): string {
  const response = newest.messages.find(({ id }) => id === messageId)?.response;
  if (!response || !('message' in response)) return '';
  const { stopped, failed } = endTexts.get();
  return ` ${response.__typename === 'ResponseInterrupted' ? stopped : failed} ${response.message}`;
}

function lastSentenceEnd(text: string): number {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) end = index + mark.length;
  return end;
}
