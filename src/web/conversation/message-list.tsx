/**
 * The messages, of which only those in sight are in the page. The list holds on to its end: while somebody reads the newest
 * words it follows them, and while somebody reads above nothing moves under their eyes.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Button, IconButton } from '../ui/button.js';
import { threadTitle } from '../ui/clean-name.js';
import type { ConversationState, ConversationStore } from './conversation-store.js';
import { EndingRow } from './ending-row.js';
import { LiveAnswerRow } from './live-answer-row.js';
import { MessageRow } from './message-row.js';
import { type Row, rowsOf } from './rows.js';

export interface MessageListProps {
  state: ConversationState;
  store: ConversationStore;
  /** The message that the address names. */
  marked: string | null;
}

const nearEndPx = 80;

export function MessageList({ state, store, marked }: MessageListProps) {
  const isMarkedOlder = state.messages.some(({ id, active }) => id === marked && !active);
  const [isOpen, setOpen] = useState(false);
  const isOlderOpen = isOpen || isMarkedOlder;
  const isReady = state.status === 'ready';
  // A long conversation comes in pages, the oldest first: shown one by one they would run past the reader.
  const rows = useMemo(() => (isReady ? rowsOf(state, isOlderOpen) : []), [state, isOlderOpen, isReady]);
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 120,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 6,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: nearEndPx,
    paddingStart: 16,
    paddingEnd: 16,
    onChange: (instance) => setAtEnd(instance.isAtEnd(nearEndPx)),
  });
  const latest = useRef(rows);
  latest.current = rows;
  // Where the reader begins: at the message that the address names, else at the end.
  useEffect(() => {
    if (!isReady) return;
    const index = latest.current.findIndex((row) => row.kind === 'message' && row.message.id === marked);
    if (index >= 0) list.scrollToIndex(index, { align: 'center' });
    else list.scrollToEnd();
  }, [isReady, marked, list]);
  const show = (row: Row) => <RowView row={row} state={state} store={store} marked={marked} open={setOpen} />;
  return (
    <div className="messages">
      {!isReady && state.messages.length > 0 && (
        <p className="messages-loading" role="status">
          Loading… {state.messages.length} messages so far
        </p>
      )}
      <section ref={scroller} className="messages-scroll" aria-label="Conversation" {...scrollable}>
        <div className="messages-space" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ key, index, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  ref={list.measureElement}
                  data-index={index}
                  className="messages-row"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {show(row)}
                </div>
              )
            );
          })}
        </div>
      </section>
      {!isAtEnd && isReady && (
        <IconButton
          icon="down_arrow"
          label="Go to the newest message"
          className="messages-end"
          onClick={() => list.scrollToEnd()}
        />
      )}
    </div>
  );
}

/** What scrolls must be reached by the keyboard. */
const scrollable = { tabIndex: 0 };

interface RowViewProps extends MessageListProps {
  row: Row;
  open: (isOpen: boolean) => void;
}

function RowView({ row, state, store, marked, open }: RowViewProps) {
  if (row.kind === 'ending') return <EndingRow state={state} store={store} />;
  if (row.kind === 'live') return <LiveAnswerRow live={row.live} />;
  if (row.kind === 'pending') {
    return (
      <article className="message message-user" data-pending="true" aria-label="Message, being sent">
        <p className="plain">{row.pending.text}</p>
        {row.pending.attachmentNames.map((name) => (
          <p key={name} className="file">
            {name}
          </p>
        ))}
        <div className="message-tools message-tools-empty" />
      </article>
    );
  }
  if (row.kind === 'older') {
    const words = row.count === 1 ? 'one earlier message' : `${row.count} earlier messages`;
    return (
      <div className="boundary">
        <Button look="quiet" aria-expanded={row.isOpen} onClick={() => open(!row.isOpen)}>
          {row.isOpen ? `Hide ${words}` : `Show ${words} that a summary replaced`}
        </Button>
      </div>
    );
  }
  if (row.kind === 'from') {
    return (
      <p className="boundary">
        Continues{' '}
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
      onRated={store.putMessage}
    />
  );
}
