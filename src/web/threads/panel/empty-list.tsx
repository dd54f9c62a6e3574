/** Explains why the list of threads is empty and what to do about it. */
import { Link } from 'wouter';
import { Sentence, type SentenceProps } from '../../language/sentence.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { cleanText } from '../../ui/display-name.js';
import type { Part } from '../store/thread-filter.js';

const texts = defineTexts('threads/panel/empty-list', {
  all: 'Your team’s threads appear here, except those that are private to someone else.',
  mine: 'You have not started any threads yet.',
  private: 'You have no private threads. To hide a thread from your team, open its menu and choose “Make private”.',
  archived: 'No threads are archived. Archiving removes a thread from the other lists without deleting it.',
  noMatch: 'No threads match your search.',
  advice: 'Try fewer words, or the beginning of a word. To search archived threads, choose “Archived”.',
  noTag: 'None of these threads has the tag {tag}.',
  noThreads: '{person} has no threads that you can read.',
  noArchived: '{person} has no archived threads that you can read.',
  start: 'Start a thread',
});

export default function EmptyList(shown: Part & { q: string }) {
  return (
    <div className="thread-empty">
      <Reason {...shown} />
    </div>
  );
}

function Reason({ view, person, tag, q }: Part & { q: string }) {
  const t = useTexts(texts);
  if (q) return [t.noMatch, t.advice].map((text) => <p key={text}>{text}</p>);
  if (tag !== null) return <Said text={t.noTag} parts={{ tag: <bdi>{cleanText(tag)}</bdi> }} />;
  const ofPerson = view === 'archived' ? t.noArchived : t.noThreads;
  if (person) return <Said text={ofPerson} parts={{ person: <bdi>{person.name}</bdi> }} />;
  return (
    <>
      <p>{t[view]}</p>
      {(view === 'all' || view === 'mine') && (
        <Link href="/new" className="button">
          {t.start}
        </Link>
      )}
    </>
  );
}

function Said(sentence: SentenceProps) {
  return (
    <p>
      <Sentence {...sentence} />
    </p>
  );
}
