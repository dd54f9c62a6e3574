/**
 * One message with its actions, or the answer that is being streamed. An answer keeps its article and its text when it is stored: what
 * is selected or scrolled in it stays so, and nothing is laid out again.
 */
import LinkIcon from 'lucide-react/icons/link';
import { memo, type ReactElement, type ReactNode, useSyncExternalStore } from 'react';
import type { Message } from '../../api/types.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { useViewer } from '../../sign-in/session.js';
import { CopyButton } from '../../ui/copy-button.js';
import { memberName } from '../../ui/display-name.js';
import { personColour } from '../../ui/person-mark.js';
import { Problem } from '../../ui/problem.js';
import { late } from '../../ui/state/late-component.js';
import { Timestamp } from '../../ui/timestamp.js';
import { EditButton, MessageEditor, RegenerateButton } from '../branches/branch-buttons.js';
import { RichText } from '../markdown/rich-text.js';
import type { Branching, LiveAnswer } from '../store/conversation-state.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { textOf } from '../store/message-window.js';
import { answerHtml } from './answer-html.js';
import { AuthorLine, otherAuthor } from './author-line.js';
import { DetailsButton } from './details-button.js';
import { FeedbackButtons } from './feedback-buttons.js';
import { AfterLiveText, BeforeLiveText, restartNote } from './live-answer.js';
import { Plain } from './plain.js';
import { Reasoning } from './reasoning.js';
import '../attachments/attachments.css';
import './message.css';
import './strand.css';

/** Few conversations have any. */
const VariantSwitcher = late(() => import('../branches/variant-switcher.js'));
const Attachments = late(
  () => import('../attachments/attachments.js'),
  ({ message }) => <AttachmentsPlace attachments={message.attachments} />,
);

const texts = defineTexts('conversation/messages/message-row', {
  USER: 'Message',
  ASSISTANT: 'Assistant',
  answering: 'Assistant, answering',
  SUMMARY: 'Summary',
  from: withValues('Message from {name}'),
  summary: 'Summary of earlier messages',
  copyMessage: 'Copy message',
  copyAnswer: 'Copy answer',
  copyLink: 'Copy link to this message',
  linkCopied: 'Link copied',
  linked: 'Linked message',
});

type Texts = ReturnType<typeof texts.get>;

export interface MessageRowProps {
  /** The answer that is being streamed; null once its message is stored. */
  live: LiveAnswer | null;
  /** Null while it is being streamed. */
  message: Message | null;
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

type StoredProps = MessageRowProps & { message: Message };

export const MessageRow = memo((props: MessageRowProps) => {
  const { live, message, store } = props;
  const t = useTexts(texts);
  const { sub } = useViewer();
  const grown = useSyncExternalStore(store.subscribe, live ? store.getLive : notStreaming);
  if (live) return liveArticle(grown ?? live, t);
  return message && storedArticle({ ...props, message }, t, sub);
});

const notStreaming = () => null;

/** Not a component: both articles are the same element for React, with the same children in the same places. */
function liveArticle(live: LiveAnswer, t: Texts): ReactElement {
  const { status, text, thinking } = live;
  return (
    <article className="message message-assistant" aria-label={t.answering} aria-busy={status !== 'ENDED'}>
      <h2 className="visually-hidden">{t.ASSISTANT}</h2>
      <BeforeLiveText live={live} />
      {thinking && <Reasoning known={thinking} isThinking={text === ''} />}
      {text && [<RichText key="block-0" text={text} isGrowing />]}
      <AfterLiveText live={live} />
    </article>
  );
}

function storedArticle(props: StoredProps, t: Texts, viewerId: string): ReactElement {
  const { message, threadId, isMarked, thought, branching } = props;
  const { role, author, active, variants } = message;
  const other = otherAuthor(message, viewerId);
  // Headings let screen reader users jump from message to message.
  const name = other ? t.from({ name: memberName(other.name) }) : t[role];
  return (
    <article
      id={message.id}
      aria-label={name}
      className={`message message-${role.toLowerCase()}`}
      {...(author && personColour(author.id))}
      data-marked={isMarked}
      data-note={isMarked ? t.linked : undefined}
      data-split={active && variants !== null}
    >
      <h2
        className="visually-hidden"
        data-printed={author?.name ? t.from({ name: memberName(author.name) }) : undefined}
      >
        {name}
      </h2>
      <BeforeText {...props} other={other} />
      {(thought || message.hasReasoning) && (
        <Reasoning threadId={threadId} messageId={message.id} known={thought ?? null} />
      )}
      {branching?.isEditing ? <MessageEditor {...props} branching={branching} /> : said(message)}
      {!branching?.isEditing && <AfterText {...props} />}
    </article>
  );
}

/** Users write plain text; the assistant writes Markdown. */
function said({ role, contents }: Message): ReactNode {
  return contents.map((block, index) => {
    const key = `block-${index}`;
    if (block.__typename === 'UserGetChoiceBlock') return <Plain key={key} text={block.question} />;
    if (block.__typename !== 'TextBlock') return null;
    return role === 'USER' ? <Plain key={key} text={block.text} /> : <RichText key={key} text={block.text} />;
  });
}

function BeforeText({ message, isRestarted, other }: StoredProps & { other: ReturnType<typeof otherAuthor> }) {
  const t = useTexts(texts);
  return (
    <>
      {other && <AuthorLine author={other} />}
      {isRestarted && <p className="answer-note">{restartNote()}</p>}
      {message.role === 'SUMMARY' && <p className="summary-title">{t.summary}</p>}
    </>
  );
}

function AfterText(props: StoredProps) {
  const { contents } = props.message;
  return (
    <>
      {contents.some((block) => 'attachmentId' in block) && <Attachments message={props.message} />}
      <Problem message={props.branching?.problem ?? null} />
      <MessageTools {...props} />
    </>
  );
}

function MessageTools({ message, threadId, store, blocked, hasFailed }: StoredProps) {
  const t = useTexts(texts);
  const { role, active, variants } = message;
  const isOpen = active && !hasFailed;
  return (
    <div className="message-tools">
      {variants && active && <VariantSwitcher message={message} variants={variants} blocked={blocked} store={store} />}
      {role === 'USER' && isOpen && <EditButton message={message} blocked={blocked} store={store} />}
      <CopyButton
        label={role === 'USER' ? t.copyMessage : t.copyAnswer}
        small
        text={() => textOf(message)}
        html={role === 'USER' ? undefined : () => answerHtml(message.id)}
      />
      {role === 'ASSISTANT' && isOpen && <RegenerateButton message={message} blocked={blocked} store={store} />}
      {role === 'ASSISTANT' && <FeedbackButtons message={message} store={store} />}
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
