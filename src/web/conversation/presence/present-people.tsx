/** The marks of the others who are reading the thread now. */
import { counted, defineTexts, useTexts } from '../../language/texts.js';
import { PersonMark } from '../../ui/person-mark.js';
import { namesOf } from './people-names.js';
import { useThreadPresence } from './thread-presence.js';

const texts = defineTexts('conversation/presence/present-people', {
  reading: counted({ one: '{names} is reading', other: '{names} are reading' }),
});

const mostMarks = 3;
const mostNames = 10;

export function PresentPeople({ threadId }: { threadId: string }) {
  const t = useTexts(texts);
  const { people, count } = useThreadPresence(threadId);
  if (count === 0) return null;
  // Marks keep their places when somebody begins to write.
  const inOrder = [...people].sort((a, b) => (a.id < b.id ? -1 : 1));
  const marks = inOrder.slice(0, mostMarks);
  const names = namesOf({ people: inOrder, count, most: mostNames });
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
