/**
 * Announces a growing answer to screen readers, whole sentences at a time. Single tokens would be unintelligible, and the
 * complete answer would come too late. Nobody needs to hear the marks of Markdown.
 */
import { useEffect, useState } from 'react';
import { withoutMarkdown } from '../threads/panel/without-markdown.js';
import type { ConversationStore } from './store/conversation-store.js';

const pauseMs = 1500;
const sentenceEnd = /[.!?。！？:]["')\]]?\s|\n\n/g;

/** `messageId` is the message that is being answered. */
export function Announcer({ store, messageId }: { store: ConversationStore; messageId: string | undefined }) {
  const [spoken, setSpoken] = useState('');
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
    const say = (end: number) => {
      // A new attempt starts from the beginning.
      if (!text.startsWith(said)) said = '';
      if (end > said.length) setSpoken(text.slice(said.length, end));
      said = text.slice(0, Math.max(end, said.length));
    };
    const timer = setInterval(() => say(lastSentenceEnd(text)), pauseMs);
    return () => {
      clearInterval(timer);
      stop();
      say(text.length);
    };
  }, [store, messageId]);
  return (
    <div className="visually-hidden" aria-live="polite">
      {withoutMarkdown(spoken)}
    </div>
  );
}

function lastSentenceEnd(text: string): number {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) end = index + mark.length;
  return end;
}
