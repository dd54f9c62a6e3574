/** One row of the conversation. */
import { Link } from 'wouter';
import { Button } from '../../ui/button.js';
import { threadTitle } from '../../ui/display-name.js';
import type { ConversationState, PendingMessage } from '../store/conversation-state.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { EndingRow } from './ending-row.js';
import { LiveAnswerRow } from './live-answer-row.js';
import { MessageRow } from './message-row.js';
import type { Row } from './rows.js';

export interface RowViewProps {
  row: Row;
  state: ConversationState;
  store: ConversationStore;
  /** The message in the address. */
  marked: string | null;
}

export function RowView({ row, state, store, marked }: RowViewProps) {
  if (row.kind === 'ending') return <EndingRow state={state} store={store} />;
  if (row.kind === 'live') return <LiveAnswerRow live={row.live} />;
  if (row.kind === 'pending') return <PendingRow pending={row.pending} />;
  if (row.kind === 'boundary') {
    return (
      <div className="boundary">
        <Button variant="quiet" aria-expanded={row.isOpen} onClick={() => store.setOlderOpen(!row.isOpen)}>
          {row.isOpen ? 'Hide earlier messages' : 'Show earlier messages'}
        </Button>
      </div>
    );
  }
  if (row.kind === 'from') {
    return (
      <p className="boundary">
        Continued from{' '}
        <Link href={`/threads/${row.from.id}`}>
          <bdi>{threadTitle(row.from)}</bdi>
        </Link>
      </p>
    );
  }
  return (
    <MessageRow
      message={row.message}
      threadId={state.thread?.id ?? ''}
      isMarked={row.message.id === marked}
      thought={row.thought}
      onRated={store.putFeedback}
    />
  );
}

function PendingRow({ pending }: { pending: PendingMessage }) {
  return (
    <article className="message message-user" data-pending="true" aria-label="Message, being sent">
      <h2 className="visually-hidden">Message</h2>
      <p className="plain">{pending.text}</p>
      {pending.attachmentNames.map((name) => (
        <p key={name} className="file">
          {name}
        </p>
      ))}
      <div className="message-tools message-tools-empty" />
    </article>
  );
}
