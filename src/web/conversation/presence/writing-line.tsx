/**
 * Who is writing now, in the place of the line that says who can read the thread, so nothing moves. Screen readers hear of it
 * when somebody begins, and not again when they pause and go on.
 */
import { useEffect, useRef, useState } from 'react';
import { Sentence } from '../../language/sentence.js';
import { counted, defineTexts, useTexts } from '../../language/texts.js';
import { Names, namesOf } from './people-names.js';
import { useThreadPresence } from './thread-presence.js';

const texts = defineTexts('conversation/presence/writing-line', {
  writing: counted({ one: '{names} is writing…', other: '{names} are writing…' }),
  said: counted({ one: '{names} is writing', other: '{names} are writing' }),
});

const mostNames = 3;
/** How long after its end the same sentence is not said again. */
const quietMs = 30_000;

export function WritingLine({ threadId }: { threadId: string }) {
  const t = useTexts(texts);
  const { writing } = useThreadPresence(threadId);
  const named = { people: writing, count: writing.length, most: mostNames };
  const spoken = useSpoken(writing.length > 0 ? t.said(writing.length, { names: namesOf(named) }) : '');
  return (
    <>
      {writing.length > 0 && (
        <p className="writing-line" aria-hidden="true">
          <Sentence text={t.writing(writing.length)} parts={{ names: <Names {...named} /> }} />
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
