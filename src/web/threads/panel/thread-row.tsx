/** A thread in the list: name, state, visibility, and the actions of its owner. */
import Archive from 'lucide-react/icons/archive';
import CornerDownRight from 'lucide-react/icons/corner-down-right';
import Lock from 'lucide-react/icons/lock';
import { type MouseEvent, memo, type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { ThreadMatch } from '../../api/thread-documents.js';
import type { Thread } from '../../api/types.js';
import { defineTexts, listed, useTexts, withValues } from '../../language/texts.js';
import { useViewer } from '../../sign-in/session.js';
import { cleanText, displayName, threadTitle } from '../../ui/display-name.js';
import { usePassedFocus } from '../../ui/page/use-passed-focus.js';
import { Problem } from '../../ui/problem.js';
import { Timestamp } from '../../ui/timestamp.js';
import { RenameField } from '../rename-field.js';
import { StateDot } from '../state-dot.js';
import type { ThreadArchiving } from '../store/thread-archiving.js';
import { useThreadListStore } from '../store/thread-list-context.js';
import { ThreadMenu } from '../thread-menu.js';
import { useThreadActions } from '../use-thread-actions.js';
import { focusAfter } from './focus-after.js';
import { Marked, SearchHit } from './search-hit.js';
import './thread-row.css';

const texts = defineTexts('threads/panel/thread-row', {
  you: 'You',
  colleague: 'A colleague',
  select: withValues('Select {title}'),
  unread: 'Unread: ',
  actions: withValues('Actions for {title}'),
  tags: withValues('Tags: {tags}'),
  itsTags: withValues(', tags: {tags}, '),
  continued: 'Goes on from an earlier thread',
  private: 'Private',
  archived: 'Archived',
});

export interface ThreadRowProps {
  thread: Thread;
  isOpen: boolean;
  isUnread: boolean;
  /** The search hit. */
  match: ThreadMatch | undefined;
  /** Whether threads are being selected, and whether this one is. */
  isChoosing: boolean;
  isChosen: boolean;
}

export const ThreadRow = memo(({ thread, isOpen, isUnread, match, isChoosing, isChosen }: ThreadRowProps) => {
  const t = useTexts(texts);
  const me = useViewer();
  const [isRenaming, setRenaming] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  // It leaves the list when it is archived, for example.
  usePassedFocus(row, (removed) => focusAfter(removed)?.focus());
  const actions = useThreadActions(thread);
  const { archiving } = useThreadListStore();
  const isMine = thread.owner.id === me.sub;
  const isSelectable = isMine && isChoosing;
  const title = threadTitle(thread);
  const owner = isMine ? t.you : displayName(thread.owner.name, t.colleague);
  const rename = (name: string | null) => {
    setRenaming(false);
    if (name !== null) void actions.rename(name);
  };
  return (
    <li ref={row} className="thread-row" data-open={isOpen} data-unread={isUnread} data-chosen={isChosen}>
      {isSelectable && (
        <input
          type="checkbox"
          className="thread-check"
          aria-label={t.select({ title })}
          checked={isChosen}
          onChange={() => archiving.toggle(thread.id)}
        />
      )}
      {isRenaming ? (
        <RenameField name={thread.title} onDone={rename} />
      ) : (
        <Link
          href={`/threads/${thread.id}`}
          className="thread-link"
          title={tooltipOf(title, owner, thread.tags)}
          aria-current={isOpen ? 'page' : undefined}
          // The link itself hears no click with Shift.
          onClickCapture={(event) => isSelectable && chooseByClick(event, archiving, thread.id)}
          onKeyDown={(event) => event.key === 'F2' && isMine && setRenaming(true)}
        >
          <span className="thread-name one-line">
            {isUnread && <span className="visually-hidden">{t.unread}</span>}
            <bdi>{match && isOfTitle(match, thread) ? <Marked parts={match.parts} /> : title}</bdi>
          </span>
          {thread.tags.length > 0 && <RowTags tags={thread.tags} />}
          <ThreadFacts thread={thread} owner={owner} />
        </Link>
      )}
      {!isRenaming && (
        <div className="thread-menu">
          <ThreadMenu
            label={t.actions({ title })}
            small
            thread={thread}
            actions={actions}
            choose={() => archiving.toggle(thread.id)}
            startRename={isMine ? () => setRenaming(true) : undefined}
          />
        </div>
      )}
      {match?.message && <SearchHit threadId={thread.id} messageId={match.message.id} parts={match.parts} />}
      {actions.problem && <Problem message={actions.problem} />}
    </li>
  );
});

function tooltipOf(title: string, owner: string, tags: readonly string[]): string {
  const words = `${title} (${owner})`;
  return tags.length > 0 ? `${words}\n${texts.get().tags({ tags: listed(tags.map(cleanText)) })}` : words;
}

/** Those for which the name leaves room. Screen readers read all of them. */
function RowTags({ tags }: { tags: readonly string[] }) {
  return (
    <>
      <span className="visually-hidden">{texts.get().itsTags({ tags: listed(tags.map(cleanText)) })}</span>
      <span className="thread-tags" aria-hidden>
        {tags.map((tag) => (
          <bdi key={tag} className="thread-tag">
            {cleanText(tag)}
          </bdi>
        ))}
      </span>
    </>
  );
}

function ThreadFacts({ thread, owner }: { thread: Thread; owner: string }) {
  const t = useTexts(texts);
  return (
    <span className="quiet-line thread-facts">
      <StateDot state={thread.state} />
      {thread.continuedFrom && <Fact icon={<CornerDownRight />} words={t.continued} />}
      {thread.isPrivate && <Fact icon={<Lock />} words={t.private} />}
      {thread.archived && <Fact icon={<Archive />} words={t.archived} />}
      {/* The name of the thread needs the room; the tooltip says as well whose it is. */}
      <bdi className="visually-hidden">{owner}</bdi>
      <Timestamp at={thread.activeAt} />
    </span>
  );
}

/** While threads are selected, a click selects one more, and with Shift all up to it. Ctrl and ⌘ open tabs as ever. */
function chooseByClick(event: MouseEvent, archiving: ThreadArchiving, id: string): void {
  if (event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (event.shiftKey) archiving.extendTo(id);
  else archiving.toggle(id);
}

/** Whether the hit is in the title. False if the thread was renamed since the search. */
function isOfTitle({ message, parts }: ThreadMatch, { title }: Thread): boolean {
  return message === null && parts.map(({ text }) => text).join('') === title;
}

function Fact({ icon, words }: { icon: ReactNode; words: string }) {
  return (
    <span className="thread-fact" title={words}>
      {icon}
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
