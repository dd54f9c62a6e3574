/** Shows who else is in a thread, in its header or below its messages. Both are one component, so that one file is loaded. */
import { useEffect, useRef, useState } from 'react';
import { Sentence } from '../../language/sentence.js';
import { counted, defineTexts, useTexts } from '../../language/texts.js';
import { PersonMark } from '../../ui/person-mark.js';
import { Names, namesOf } from './people-names.js';
import { useThreadPresence } from './thread-presence.js';
import './presence.css';

const texts = defineTexts('conversation/presence/presence-view', {
  reading: counted({ one: '{names} is reading', other: '{names} are reading' }),
  writing: counted({ one: '{names} is writing…', other: '{names} are writing…' }),
  said: counted({ one: '{names} is writing', other: '{names} are writing' }),
});

const mostMarks = 3;
const mostReading = 10;
const mostWriting = 3;
/** How long after its end the same sentence is not said again. */
const quietMs = 30_000;

export interface PresenceViewProps {
  threadId: string;
  place: 'head' | 'foot';
}

export default function PresenceView({ threadId, place }: PresenceViewProps) {
  return place === 'head' ? <PresentPeople threadId={threadId} /> : <WritingLine threadId={threadId} />;
}

/** The marks of the others who are reading the thread now. */
function PresentPeople({ threadId }: { threadId: string }) {
  const t = useTexts(texts);
  const { people, count } = useThreadPresence(threadId);
  if (count === 0) return null;
  // Marks keep their places when somebody begins to write.
  const inOrder = [...people].sort((a, b) => (a.id < b.id ? -1 : 1));
  const marks = inOrder.slice(0, mostMarks);
  const names = namesOf({ people: inOrder, count, most: mostReading });
  const label = t.reading(count, { names: `${names.charAt(0).toUpperCase()}${names.slice(1)}` });
  return (
    <span className="present-people" role="img" aria-label={label} title={label}>
      {marks.map(({ id, name }) => (
        <PersonMark key={id} id={id} name={name} />
      ))}
      {count > marks.length && (
        <span className="present-more" aria-hidden="true">
          +{count - marks.length}
        </span>
      )}
    </span>
  );
}

/**
 * Who is writing now, in the place of the line that says who can read the thread, so nothing moves. Screen readers hear of it
 * when somebody begins, and not again when they pause and go on.
 */
function WritingLine({ threadId }: { threadId: string }) {
  const t = useTexts(texts);
  const { writing } = useThreadPresence(threadId);
  const named = { people: writing, count: writing.length, most: mostWriting };
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
