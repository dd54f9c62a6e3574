/**
 * Who can read a thread, where it is written and where it is read: "Everyone in Acme" or "Only me". Only its owner ever sees a
 * private thread, so "me" is always the viewer.
 */
import Lock from 'lucide-react/icons/lock';
import Users from 'lucide-react/icons/users';
import { useId } from 'react';
import type { Identity } from '../api/types.js';
import { Sentence } from '../language/sentence.js';
import { defineTexts, useTexts, withValues } from '../language/texts.js';
import { useViewer } from '../sign-in/session.js';
import { organizationName } from '../ui/display-name.js';
import './readers.css';

const texts = defineTexts('threads/readers', {
  me: 'Only me',
  everyone: withValues('Everyone in {organization}'),
  onlyYou: 'Only you can read this thread',
  canRead: 'Everyone in {organization} can read this thread',
  by: 'Can be read by:',
});

function readersOf(isPrivate: boolean, me: Identity): string {
  const { me: onlyMe, everyone } = texts.get();
  return isPrivate ? onlyMe : everyone({ organization: organizationName(me) });
}

export interface ReadersProps {
  isPrivate: boolean;
}

/** For the header of a thread. */
export function ReadersChip({ isPrivate }: ReadersProps) {
  const t = useTexts(texts);
  const me = useViewer();
  const Icon = isPrivate ? Lock : Users;
  const words = readersOf(isPrivate, me);
  const whole = isPrivate ? t.onlyYou : t.canRead.replace('{organization}', () => organizationName(me));
  return (
    <span className="readers" title={whole}>
      <Icon />
      <span className="visually-hidden">{t.by}</span>
      <bdi className="one-line">{words}</bdi>
    </span>
  );
}

/** For the composer of a thread: a message is read by the same people. */
export function ReadersLine({ isPrivate }: ReadersProps) {
  const t = useTexts(texts);
  const me = useViewer();
  const Icon = isPrivate ? Lock : Users;
  return (
    <p className="quiet-line readers-line">
      <Icon />
      {/* Another element, since a browser may have put the translated words into elements that React does not know. */}
      <span key={String(isPrivate)}>
        {isPrivate ? (
          t.onlyYou
        ) : (
          <Sentence text={t.canRead} parts={{ organization: <bdi>{organizationName(me)}</bdi> }} />
        )}
      </span>
    </p>
  );
}

export interface ReadersChoiceProps extends ReadersProps {
  legend: string;
  onChoose: (isPrivate: boolean) => void;
}

/** Chooses who can read new threads, or one of them. */
export function ReadersChoice({ legend, isPrivate, onChoose }: ReadersChoiceProps) {
  const me = useViewer();
  const name = useId();
  return (
    <fieldset className="readers-choice" aria-labelledby={name}>
      <span id={name}>{legend}</span>
      {[false, true].map((value) => {
        const Icon = value ? Lock : Users;
        return (
          <label key={String(value)} className="readers">
            <input type="radio" name={name} checked={isPrivate === value} onChange={() => onChoose(value)} />
            <Icon />
            <bdi className="one-line">{readersOf(value, me)}</bdi>
          </label>
        );
      })}
    </fieldset>
  );
}
