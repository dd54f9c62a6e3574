/**
 * A growing text for a screen reader: whole sentences, a few at a time. Read token by token, an answer could not be understood;
 * read only at its end, it would come too late.
 */
import { useEffect, useRef, useState } from 'react';

const pauseMs = 1500;
const sentenceEnd = /[.!?。！？:]["')\]]?\s|\n\n/g;

/** What is to be said next. */
export function useSentences(text: string): string {
  const [spoken, setSpoken] = useState('');
  const latest = useRef(text);
  const said = useRef(0);
  latest.current = text;
  useEffect(() => {
    const timer = setInterval(() => {
      const end = lastSentenceEnd(latest.current);
      // A new attempt starts over.
      if (end < said.current) said.current = 0;
      if (end <= said.current) return;
      setSpoken(latest.current.slice(said.current, end));
      said.current = end;
    }, pauseMs);
    return () => clearInterval(timer);
  }, []);
  return spoken;
}

function lastSentenceEnd(text: string): number {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) end = index + mark.length;
  return end;
}
