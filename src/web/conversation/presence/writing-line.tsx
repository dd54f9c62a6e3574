/**
 * Who is writing now, in the place of the line that says who can read the thread, so nothing moves. Screen readers hear of it
 * when somebody begins, and not again when they pause and go on.
 */
import { useEffect, useRef, useState } from 'react';
import { Names, namesOf } from './people-names.js';
import { useThreadPresence } from './thread-presence.js';

const mostNames = 3;
/** How long after its end the same sentence is not said again. */
const quietMs = 30_000;

export function WritingLine({ threadId }: { threadId: string }) {
  const { writing } = useThreadPresence(threadId);
  const named = { people: writing, count: writing.length, most: mostNames };
  const verb = writing.length === 1 ? 'is' : 'are';
  const spoken = useSpoken(writing.length > 0 ? `${namesOf(named)} ${verb} writing` : '');
  return (
    <>
      {writing.length > 0 && (
        <p className="writing-line" aria-hidden="true">
          <Names {...named} /> {verb} writing…
        </p>
      )}
      <span className="visually-hidden" role="status">
        {spoken}
      </span>
    </>
  );
}

function useSpoken(sentence: string): string {
  const [spoken, setSpoken] = useState('');
  const last = useRef({ sentence: '', endedMs: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    if (sentence === '') last.current.endedMs = performance.now();
    else if (sentence === last.current.sentence && performance.now() - last.current.endedMs < quietMs) return;
    else last.current = { sentence, endedMs: Number.POSITIVE_INFINITY };
    setSpoken(sentence);
  }, [sentence]);
  return spoken;
}
