/** One message with its actions. */
import LinkIcon from 'lucide-react/icons/link';
import { memo } from 'react';
import { Link } from 'wouter';
import type { Attachment, Feedback, Message } from '../../api/types.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Timestamp } from '../../ui/timestamp.js';
import { RichText } from '../markdown/rich-text.js';
import { AttachmentView } from './attachment-view.js';
import { FeedbackButtons } from './feedback-buttons.js';
import { textOf } from './rows.js';
import { Thinking } from './thinking.js';
import './message.css';

export interface MessageRowProps {
  message: Message;
  threadId: string;
  isMarked: boolean;
  /** The reasoning before this answer, if known. */
  thought: string | undefined;
  onRated: (messageId: string, myFeedback: Feedback | null) => void;
}

/** Headings let screen reader users jump from message to message. */
const names = { USER: 'Message', ASSISTANT: 'Assistant', SUMMARY: 'Summary' } as const;

export const MessageRow = memo(({ message, threadId, isMarked, thought, onRated }: MessageRowProps) => {
  const { role, contents, attachments } = message;
  return (
    <article
      id={message.id}
      aria-label={names[role]}
      className={`message message-${role.toLowerCase()}`}
      data-marked={isMarked}
      data-inactive={!message.active}
    >
      <h2 className="visually-hidden">{names[role]}</h2>
      {thought && <Thinking text={thought} isOver />}
      {role === 'SUMMARY' && <p className="summary-title">Summary of earlier messages</p>}
      {contents.map((block, index) => {
        const key = `block-${index}`;
        if (block.__typename === 'TextBlock') return <Text key={key} role={role} text={block.text} />;
        if (block.__typename === 'UserGetChoiceBlock') return <p key={key}>{block.question}</p>;
        return <AttachmentView key={key} attachment={find(attachments, block.attachmentId)} />;
      })}
      <div className="message-tools">
        <CopyButton label="Copy message" small text={() => textOf(message)} />
        {role === 'ASSISTANT' && <FeedbackButtons threadId={threadId} message={message} onRated={onRated} />}
        <Link
          href={`/threads/${threadId}/messages/${message.id}`}
          className="button button-icon button-small"
          aria-label="Link to this message"
          title="Link to this message"
        >
          <LinkIcon />
        </Link>
        <Timestamp at={message.createdAt} />
      </div>
    </article>
  );
});

/** Users write plain text; the assistant writes Markdown. */
function Text({ role, text }: { role: Message['role']; text: string }) {
  return role === 'USER' ? <p className="plain">{text}</p> : <RichText text={text} />;
}

function find(attachments: readonly Attachment[], id: string): Attachment | undefined {
  return attachments.find((attachment) => attachment.id === id);
}
