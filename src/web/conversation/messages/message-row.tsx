/** One message with its actions. */
import LinkIcon from 'lucide-react/icons/link';
import { memo, Suspense } from 'react';
import type { Attachment, Message } from '../../api/types.js';
import { useViewer } from '../../sign-in/session.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Problem } from '../../ui/field.js';
import { personColour } from '../../ui/person-mark.js';
import { Timestamp } from '../../ui/timestamp.js';
import { EditButton, MessageEditor, RegenerateButton } from '../branches/branch-buttons.js';
import { VariantSwitcher } from '../branches/variant-switcher.js';
import { RichText } from '../markdown/rich-text.js';
import type { Branching } from '../store/conversation-state.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { AttachmentView } from './attachment-view.js';
import { AuthorLine, authorName, otherAuthor } from './author-line.js';
import { DetailsButton } from './details-button.js';
import { FeedbackButtons } from './feedback-buttons.js';
import { Plain } from './plain.js';
import { restartNote } from './restart-note.js';
import { textOf } from './rows.js';
import { StoredThinking } from './stored-thinking.js';
import './message.css';
import './strand.css';

export interface MessageRowProps {
  message: Message;
  threadId: string;
  isMarked: boolean;
  /** The reasoning before this answer, if known. */
  thought: string | undefined;
  /** Whether the answer began again while it was shown. */
  isRestarted: boolean;
  store: ConversationStore;
  /** How the reader branches the conversation at this message, if they do. */
  branching: Branching | null;
  /** Why the conversation cannot branch now; null if it can. */
  blocked: string | null;
  /** Whether the thread has failed, so that it can never branch again. */
  hasFailed: boolean;
}

/** Headings let screen reader users jump from message to message. */
const names = { USER: 'Message', ASSISTANT: 'Assistant', SUMMARY: 'Summary' } as const;

export const MessageRow = memo((props: MessageRowProps) => {
  const { message, threadId, isMarked, thought, isRestarted } = props;
  const { role } = message;
  const author = otherAuthor(message, useViewer().sub);
  const name = author ? `Message from ${authorName(author)}` : names[role];
  return (
    <article
      id={message.id}
      aria-label={name}
      className={`message message-${role.toLowerCase()}`}
      data-colour={message.author ? personColour(message.author.id) : undefined}
      data-marked={isMarked}
      data-inactive={!message.active}
      data-split={message.active && message.variants !== null}
    >
      <h2 className="visually-hidden">{name}</h2>
      {author && <AuthorLine author={author} />}
      {isRestarted && <p className="answer-note">{restartNote}</p>}
      {(thought || message.hasReasoning) && (
        <StoredThinking threadId={threadId} messageId={message.id} known={thought ?? null} />
      )}
      {role === 'SUMMARY' && <p className="summary-title">Summary of earlier messages</p>}
      <MessageBody {...props} />
    </article>
  );
});

function MessageBody(props: MessageRowProps) {
  const { message, branching, blocked, store } = props;
  const { role, contents, attachments } = message;
  const { isEditing = false, problem = null } = branching ?? {};
  if (isEditing) {
    return (
      <Suspense fallback={<Plain text={textOf(message)} />}>
        <MessageEditor message={message} blocked={blocked} problem={problem} store={store} />
      </Suspense>
    );
  }
  return (
    <>
      {contents.map((block, index) => {
        const key = `block-${index}`;
        if (block.__typename === 'TextBlock') return <Text key={key} role={role} text={block.text} />;
        if (block.__typename === 'UserGetChoiceBlock') return <Plain key={key} text={block.question} />;
        return <AttachmentView key={key} attachment={find(attachments, block.attachmentId)} />;
      })}
      <Problem message={problem} />
      <MessageTools {...props} />
    </>
  );
}

function MessageTools({ message, threadId, store, blocked, hasFailed }: MessageRowProps) {
  const { role, active, variants } = message;
  const isOpen = active && !hasFailed;
  return (
    <div className="message-tools">
      {variants && active && <VariantSwitcher message={message} variants={variants} blocked={blocked} store={store} />}
      {role === 'USER' && isOpen && <EditButton message={message} blocked={blocked} store={store} />}
      <CopyButton label={role === 'USER' ? 'Copy message' : 'Copy as Markdown'} small text={() => textOf(message)} />
      {role === 'ASSISTANT' && isOpen && <RegenerateButton message={message} blocked={blocked} store={store} />}
      {role === 'ASSISTANT' && <FeedbackButtons threadId={threadId} message={message} onRated={store.putFeedback} />}
      <CopyButton
        label="Copy link to this message"
        done="Link copied"
        icon={LinkIcon}
        small
        text={() => `${location.origin}/threads/${threadId}/messages/${message.id}`}
      />
      {role === 'ASSISTANT' && <DetailsButton threadId={threadId} messageId={message.id} />}
      <Timestamp at={message.createdAt} />
    </div>
  );
}

/** Users write plain text; the assistant writes Markdown. */
function Text({ role, text }: { role: Message['role']; text: string }) {
  return role === 'USER' ? <Plain text={text} /> : <RichText text={text} />;
}

function find(attachments: readonly Attachment[], id: string): Attachment | undefined {
  return attachments.find((attachment) => attachment.id === id);
}
