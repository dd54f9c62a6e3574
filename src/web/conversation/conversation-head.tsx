/** The header of a conversation: name, visibility, and the actions of its owner. */
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Lock from 'lucide-react/icons/lock';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Thread } from '../api/types.js';
import { useViewer } from '../sign-in/session.js';
import { RenameField } from '../threads/rename-field.js';
import { StateDot } from '../threads/state-dot.js';
import { threadMenu } from '../threads/thread-menu.js';
import { useThreadActions } from '../threads/use-thread-actions.js';
import { displayName, threadTitle } from '../ui/display-name.js';
import { Menu } from '../ui/menu.js';

export interface ConversationHeadProps {
  thread: Thread | null;
  onChanged: (thread: Thread) => void;
}

export function ConversationHead({ thread, onChanged }: ConversationHeadProps) {
  return (
    <header className="conversation-head">
      <Link href="/" className="button button-icon only-phone" aria-label="Back to threads">
        <ArrowLeft />
      </Link>
      {thread ? <Head thread={thread} onChanged={onChanged} /> : <h1>&nbsp;</h1>}
    </header>
  );
}

function Head({ thread, onChanged }: { thread: Thread; onChanged: (thread: Thread) => void }) {
  const me = useViewer();
  const [isRenaming, setRenaming] = useState(false);
  const actions = useThreadActions(thread, onChanged);
  const isMine = thread.owner.id === me.sub;
  const rename = (name: string | null) => {
    setRenaming(false);
    if (name !== null) void actions.rename(name);
  };
  return (
    <>
      {isRenaming ? (
        <RenameField name={thread.name} onDone={rename} />
      ) : (
        <h1 title={threadTitle(thread)}>
          <bdi>{threadTitle(thread)}</bdi>
        </h1>
      )}
      <span className="conversation-facts">
        <StateDot state={thread.state} />
        {thread.archived && <span>Archived</span>}
        {thread.isPrivate && (
          <span className="conversation-private">
            <Lock />
            Private
          </span>
        )}
        {!isMine && <bdi>by {displayName(thread.owner.name, 'a colleague')}</bdi>}
      </span>
      {isMine && (
        <Menu
          label="Actions for this thread"
          icon={Ellipsis}
          items={threadMenu(thread, actions, () => setRenaming(true))}
        />
      )}
      {actions.problem && <p className="notice notice-danger">{actions.problem}</p>}
    </>
  );
}
