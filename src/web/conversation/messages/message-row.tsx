/** One message with its actions. */
import LinkIcon from 'lucide-react/icons/link';
import { lazy, memo, Suspense } from 'react';
import type { Feedback, Message } from '../../api/types.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { useViewer } from '../../sign-in/session.js';
import { CopyButton } from '../../ui/copy-button.js';
import { personColour } from '../../ui/person-mark.js';
import { Problem } from '../../ui/problem.js';
import { importWithRetry } from '../../ui/state/import-with-retry.js';
import { Timestamp } from '../../ui/timestamp.js';
import { EditButton, MessageEditor, RegenerateButton } from '../branches/branch-buttons.js';
import { VariantSwitcher } from '../branches/variant-switcher.js';
import { RichText } from '../markdown/rich-text.js';
import type { Branching } from '../store/conversation-state.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { textOf } from '../store/message-window.js';
import { AuthorLine, authorName, otherAuthor } from './author-line.js';
import { DetailsButton } from './details-button.js';
import { FeedbackButtons } from './feedback-buttons.js';
import { Plain } from './plain.js';
import { restartNote } from './restart-note.js';
import { StoredThinking } from './stored-thinking.js';
import '../attachments/attachments.css';
import './message.css';
import './strand.css';

/** Few conversations have any. */
const Attachments = lazy(() => importWithRetry(() => import('../attachments/attachments.js')));

const texts = defineTexts('conversation/messages/message-row', {
  USER: 'Message',
  ASSISTANT: 'Assistant',
  SUMMARY: 'Summary',
  from: withValues('Message from {name}'),
  summary: 'Summary of earlier messages',
  copyMessage: 'Copy message',
  copyAnswer: 'Copy as Markdown',
  copyLink: 'Copy link to this message',
  linkCopied: 'Link copied',
  linked: 'Linked message',
});

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

export const MessageRow = memo((props: MessageRowProps) => {
  const t = useTexts(texts);
  const { message, threadId, isMarked, thought, isRestarted } = props;
  const { role } = message;
  const author = otherAuthor(message, useViewer().sub);
  // Headings let screen reader users jump from message to message.
  const name = author ? t.from({ name: authorName(author) }) : t[role];
  return (
    <article
      id={message.id}
      aria-label={name}
      className={`message message-${role.toLowerCase()}`}
      data-colour={message.author ? personColour(message.author.id) : undefined}
      data-marked={isMarked}
      data-note={isMarked ? t.linked : undefined}
      data-inactive={!message.active}
      data-split={message.active && message.variants !== null}
    >
      <h2
        className="visually-hidden"
        data-printed={message.author?.name ? t.from({ name: authorName(message.author) }) : undefined}
      >
        {name}
      </h2>
      {author && <AuthorLine author={author} />}
      {isRestarted && <p className="answer-note">{restartNote()}</p>}
      {(thought || message.hasReasoning) && (
        <StoredThinking threadId={threadId} messageId={message.id} known={thought ?? null} />
      )}
      {role === 'SUMMARY' && <p className="summary-title">{t.summary}</p>}
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
        return block.__typename === 'UserGetChoiceBlock' && <Plain key={key} text={block.question} />;
      })}
      {contents.some((block) => 'attachmentId' in block) && (
        <Suspense fallback={<AttachmentsPlace attachments={attachments} />}>
          <Attachments message={message} />
        </Suspense>
      )}
      <Problem message={problem} />
      <MessageTools {...props} />
    </>
  );
}

function MessageTools({ message, threadId, store, blocked, hasFailed }: MessageRowProps) {
  const t = useTexts(texts);
  const { role, active, variants } = message;
  const isOpen = active && !hasFailed;
  const rate = (messageId: string, myFeedback: Feedback | null) =>
    store.dispatch({ type: 'rated', messageId, myFeedback });
  return (
    <div className="message-tools">
      {variants && active && <VariantSwitcher message={message} variants={variants} blocked={blocked} store={store} />}
      {role === 'USER' && isOpen && <EditButton message={message} blocked={blocked} store={store} />}
      <CopyButton label={role === 'USER' ? t.copyMessage : t.copyAnswer} small text={() => textOf(message)} />
      {role === 'ASSISTANT' && isOpen && <RegenerateButton message={message} blocked={blocked} store={store} />}
      {role === 'ASSISTANT' && <FeedbackButtons threadId={threadId} message={message} onRated={rate} />}
      <CopyButton
        label={t.copyLink}
        done={t.linkCopied}
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

/** The names of attachments, each in a place as high as it will be. */
export function AttachmentsPlace({ attachments }: { attachments: readonly { name: string; mediaType?: string }[] }) {
  return (
    <div className="attachments">
      {attachments.map(({ name, mediaType }, index) => {
        // Pasted pictures all have the same name.
        const key = `file-${index}`;
        return (
          <bdi key={key} className={mediaType?.startsWith('image/') ? 'picture' : 'file'}>
            {name}
          </bdi>
        );
      })}
    </div>
  );
}
