/** Below the list: what is selected and what can be done with it, and afterwards the way back. */
import X from 'lucide-react/icons/x';
import { type RefObject, useEffect, useRef } from 'react';
import { counted, defineTexts, useTexts } from '../../language/texts.js';
import { Button, IconButton } from '../../ui/button.js';
import { CancelButton, commonTexts } from '../../ui/common-buttons.js';
import { Problem } from '../../ui/problem.js';
import type { ArchivingState } from '../store/thread-archiving.js';
import { useArchiving, useThreadList, useThreadListStore } from '../store/thread-list-context.js';
import './archive-bar.css';

const texts = defineTexts('threads/panel/archive-bar', {
  selected: counted({ one: '{count} selected', other: '{count} selected' }),
  archive: 'Archive',
  unarchive: 'Unarchive',
  undo: 'Undo',
  archived: counted({ one: '{count} thread archived', other: '{count} threads archived' }),
  unarchived: counted({ one: '{count} thread unarchived', other: '{count} threads unarchived' }),
});

const shownMs = 20_000;

export function ArchiveBar() {
  const t = useTexts(texts);
  const { close } = useTexts(commonTexts);
  const { archiving } = useThreadListStore();
  const { chosen, done, problem } = useArchiving();
  const { view } = useThreadList();
  const isArchive = view === 'archived';
  const bar = useRef<HTMLDivElement>(null);
  useKeptFocus(bar);
  usePassing(bar, chosen.size === 0 && problem === null ? done : null, archiving.cancel);
  return (
    <div ref={bar} className="archive-bar">
      <Problem message={problem} />
      <p role="status" className={chosen.size > 0 || done ? '' : 'visually-hidden'}>
        {chosen.size > 0
          ? t.selected(chosen.size)
          : done && (done.archived ? t.archived : t.unarchived)(done.threads.length)}
      </p>
      {chosen.size > 0 ? (
        <>
          <Button variant="primary" onClick={() => void archiving.run(!isArchive)}>
            {isArchive ? t.unarchive : t.archive}
          </Button>
          <CancelButton onClick={archiving.cancel} />
        </>
      ) : (
        done && (
          <>
            <Button onClick={() => void archiving.undo()}>{t.undo}</Button>
            <IconButton icon={X} label={close} small onClick={archiving.cancel} />
          </>
        )
      )}
    </div>
  );
}

/** What was done is no news after a while, unless the pointer or the focus is on its buttons. */
function usePassing(bar: RefObject<HTMLElement | null>, done: ArchivingState['done'], close: () => void): void {
  useEffect(() => {
    if (!done) return;
    const timer = setInterval(() => !bar.current?.matches(':hover, :focus-within') && close(), shownMs);
    return () => clearInterval(timer);
  }, [bar, done, close]);
}

/** The pressed button goes: the focus moves to the next one here or, where there is none, to the list. */
function useKeptFocus(bar: RefObject<HTMLElement | null>): void {
  const isInside = useRef(false);
  useEffect(() => {
    const element = bar.current;
    const note = ({ target }: FocusEvent) => {
      isInside.current = element?.contains(target as Node) ?? false;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [bar]);
  useEffect(() => {
    if (!isInside.current || document.activeElement !== document.body) return;
    const next = bar.current?.querySelector('button') ?? document.querySelector<HTMLElement>('.thread-link');
    next?.focus();
  });
}
