/** The header of a conversation: name, visibility, and the actions of its owner. */
import { useState } from 'react';
import type { Thread } from '../api/types.js';
import { Sentence } from '../language/sentence.js';
import { defineTexts, useTexts } from '../language/texts.js';
import { useViewer } from '../sign-in/session.js';
import { ReadersChip } from '../threads/readers.js';
import { RenameField } from '../threads/rename-field.js';
import { StateDot } from '../threads/state-dot.js';
import { ThreadMenu } from '../threads/thread-menu.js';
import { useThreadActions } from '../threads/use-thread-actions.js';
import { BackLink } from '../ui/common-buttons.js';
import { displayName, threadTitle } from '../ui/display-name.js';
import { Problem } from '../ui/problem.js';
import { late } from '../ui/state/late-component.js';
import { Presence } from './presence/presence.js';

const texts = defineTexts('conversation/conversation-head', {
  archived: 'Archived',
  by: 'by {name}',
  colleague: 'a colleague',
  actions: 'Actions for this thread',
});

const TagList = late(() => import('../threads/tags/tag-list.js'));

export interface ConversationHeadProps {
  thread: Thread | null;
  onChanged: (thread: Thread) => void;
}

export function ConversationHead({ thread, onChanged }: ConversationHeadProps) {
  return (
    <header className="conversation-head">
      <BackLink />
      {thread ? <Head thread={thread} onChanged={onChanged} /> : <h1>&nbsp;</h1>}
    </header>
  );
}

function Head({ thread, onChanged }: { thread: Thread; onChanged: (thread: Thread) => void }) {
  const t = useTexts(texts);
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
        <RenameField name={thread.title} onDone={rename} />
      ) : (
        <h1 className="one-line" title={threadTitle(thread)}>
          <bdi>{threadTitle(thread)}</bdi>
        </h1>
      )}
      <Presence thread={thread} place="head" />
      <span className="quiet-line conversation-facts">
        <StateDot state={thread.state} />
        {thread.archived && <span>{t.archived}</span>}
        <ReadersChip isPrivate={thread.isPrivate} />
        {!isMine && (
          <span className="one-line">
            <Sentence text={t.by} parts={{ name: <bdi>{displayName(thread.owner.name, t.colleague)}</bdi> }} />
          </span>
        )}
      </span>
      <ThreadMenu
        label={t.actions}
        thread={thread}
        actions={actions}
        startRename={isMine ? () => setRenaming(true) : undefined}
      />
      {thread.tags.length > 0 && <TagList tags={thread.tags} />}
      <Problem message={actions.problem} />
    </>
  );
}
