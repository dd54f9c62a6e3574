/**
 * Announces a growing answer to screen readers, whole sentences at a time. Single tokens would be unintelligible, and the
 * complete answer would come too late.
 */
import { useEffect, useState } from 'react';
import type { LiveAnswer } from './store/live-answer.js';

const pauseMs = 1500;
const sentenceEnd = /[.!?。！？:]["')\]]?\s|\n\n/g;

export function Announcer({ live }: { live: LiveAnswer | null }) {
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    if (!live) return;
    let said = '';
    const say = (end: number) => {
      const { text } = live.getState();
      // A new attempt starts from the beginning.
      if (!text.startsWith(said)) said = '';
      if (end > said.length) setSpoken(text.slice(said.length, end));
      said = text.slice(0, Math.max(end, said.length));
    };
    const timer = setInterval(() => say(lastSentenceEnd(live.getState().text)), pauseMs);
    return () => {
      clearInterval(timer);
      say(live.getState().text.length);
    };
  }, [live]);
  return (
    <div className="visually-hidden" aria-live="polite">
      {spoken}
    </div>
  );
}

function lastSentenceEnd(text: string): number {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) end = index + mark.length;
  return end;
}
