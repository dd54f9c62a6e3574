/** A thread in the list: name, state, visibility, and the actions of its owner. */
import Archive from 'lucide-react/icons/archive';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Lock from 'lucide-react/icons/lock';
import { memo, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { ThreadMatch } from '../../api/thread-documents.js';
import type { Thread } from '../../api/types.js';
import { useViewer } from '../../sign-in/session.js';
import { displayName, threadTitle } from '../../ui/display-name.js';
import { Menu } from '../../ui/menu.js';
import { Timestamp } from '../../ui/timestamp.js';
import { RenameField } from '../rename-field.js';
import { StateDot } from '../state-dot.js';
import { threadMenu } from '../thread-menu.js';
import { useThreadActions } from '../use-thread-actions.js';
import { Marked } from './marked.js';
import { SearchHit } from './search-hit.js';
import './thread-row.css';

export interface ThreadRowProps {
  thread: Thread;
  isOpen: boolean;
  /** The search hit. */
  match: ThreadMatch | undefined;
}

export const ThreadRow = memo(({ thread, isOpen, match }: ThreadRowProps) => {
  const me = useViewer();
  const [isRenaming, setRenaming] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  usePassedFocus(row);
  const actions = useThreadActions(thread);
  const isMine = thread.owner.id === me.sub;
  const title = threadTitle(thread);
  const rename = (name: string | null) => {
    setRenaming(false);
    if (name !== null) void actions.rename(name);
  };
  return (
    <li ref={row} className="thread-row" data-open={isOpen}>
      {isRenaming ? (
        <RenameField name={thread.name} onDone={rename} />
      ) : (
        <Link
          href={`/threads/${thread.id}`}
          className="thread-link"
          aria-current={isOpen ? 'page' : undefined}
          onKeyDown={(event) => event.key === 'F2' && isMine && setRenaming(true)}
        >
          <span className="thread-name">
            <bdi>{match && isOfName(match, thread) ? <Marked parts={match.parts} /> : title}</bdi>
          </span>
          <span className="thread-facts">
            <StateDot state={thread.state} />
            {thread.isPrivate && <Fact icon={<Lock />} words="Private" />}
            {thread.archived && <Fact icon={<Archive />} words="Archived" />}
            <bdi className="thread-owner">{isMine ? 'You' : displayName(thread.owner.name, 'A colleague')}</bdi>
            <Timestamp at={thread.updatedAt} />
          </span>
        </Link>
      )}
      {isMine && !isRenaming && (
        <div className="thread-menu">
          <Menu
            label={`Actions for ${title}`}
            icon={Ellipsis}
            small
            items={threadMenu(thread, actions, () => setRenaming(true))}
          />
        </div>
      )}
      {match?.message && <SearchHit threadId={thread.id} messageId={match.message.id} parts={match.parts} />}
      {actions.problem && <p className="notice notice-danger">{actions.problem}</p>}
    </li>
  );
});

/** Moves the focus to a neighbouring row when the focused row leaves the list, for example because it is archived. */
function usePassedFocus(row: RefObject<HTMLLIElement | null>): void {
  useLayoutEffect(() => {
    const element = row.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const neighbour = element.nextElementSibling ?? element.previousElementSibling;
      const next =
        neighbour?.querySelector<HTMLElement>('.thread-link') ?? document.querySelector<HTMLElement>('.panel');
      next?.focus();
    };
  }, [row]);
}

/** Whether the hit is in the name. False if the thread was renamed since the search. */
function isOfName({ message, parts }: ThreadMatch, { name }: Thread): boolean {
  return message === null && name !== null && parts.map(({ text }) => text).join('') === name;
}

function Fact({ icon, words }: { icon: ReactNode; words: string }) {
  return (
    <span className="thread-fact" title={words}>
      {icon}
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
