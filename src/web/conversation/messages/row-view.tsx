import { Sentence } from '../../language/sentence.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { useViewer } from '../../sign-in/session.js';
import { Button } from '../../ui/button.js';
import { personColour } from '../../ui/person-mark.js';
import { late } from '../../ui/state/late-component.js';
import type { ConversationState, PendingMessage } from '../store/conversation-state.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { LinkToThread } from './link-to-thread.js';
import { AttachmentsPlace, MessageRow } from './message-row.js';
import { Plain } from './plain.js';
import type { Row } from './rows.js';
import { StoppedNote } from './stopped-note.js';

/** Few conversations have one of these. */
const Choices = late(() => import('../choices.js'));
const EndingRow = late(() => import('./ending-row.js'));
const TruncatedNote = late(() => import('./truncated-note.js'));

const texts = defineTexts('conversation/messages/row-view', {
  hide: 'Hide earlier messages',
  show: 'Show earlier messages',
  from: 'Continued from {thread}',
  sending: 'Message, being sent',
  message: 'Message',
});

export interface RowViewProps {
  row: Row;
  state: ConversationState;
  store: ConversationStore;
  /** The message in the address. */
  marked: string | null;
  /** Why the conversation cannot branch now; null if it can. */
  blocked: string | null;
}

export function RowView({ row, state, store, marked, blocked }: RowViewProps) {
  const t = useTexts(texts);
  if (row.kind === 'ending') return <EndingRow state={state} />;
  if (row.kind === 'choices') return <Choices question={row.question} store={store} />;
  if (row.kind === 'truncated') return <TruncatedNote />;
  if (row.kind === 'pending') return <PendingRow pending={row.pending} />;
  if (row.kind === 'stopped') return <StoppedNote reason={row.reason} />;
  if (row.kind === 'boundary') {
    return (
      <div className="boundary">
        <Button variant="quiet" aria-expanded={row.isOpen} onClick={() => store.dispatch({ type: 'olderToggled' })}>
          {row.isOpen ? t.hide : t.show}
        </Button>
      </div>
    );
  }
  if (row.kind === 'from') {
    return (
      <p className="boundary">
        <Sentence text={t.from} parts={{ thread: <LinkToThread thread={row.from} /> }} />
      </p>
    );
  }
  const live = row.kind === 'live' ? row.live : null;
  const stored = row.kind === 'live' ? null : row;
  const id = stored?.message.id;
  return (
    <MessageRow
      live={live}
      message={stored?.message ?? null}
      threadId={state.thread?.id ?? ''}
      isMarked={id === marked}
      thought={stored?.thought}
      isRestarted={stored?.isRestarted ?? false}
      store={store}
      branching={state.branching?.messageId === id ? state.branching : null}
      blocked={blocked}
      hasFailed={state.thread?.state === 'ERROR'}
    />
  );
}

/** A message that was sent, until it is loaded. */
export function PendingRow({ pending }: { pending: PendingMessage }) {
  const t = useTexts(texts);
  const colour = personColour(useViewer().sub);
  return (
    <article className="message message-user" {...colour} data-pending="true" aria-label={t.sending}>
      <h2 className="visually-hidden">{t.message}</h2>
      <Plain text={pending.text} />
      <AttachmentsPlace attachments={pending.attachmentNames.map((name) => ({ name }))} />
      <div className="message-tools" />
    </article>
  );
}
