/** The messages. Only those in sight are in the DOM. */
import ArrowDown from 'lucide-react/icons/arrow-down';
import { useMemo } from 'react';
import { IconButton } from '../../ui/button.js';
import { focusMessages } from '../conversation-focus.js';
import type { ConversationState } from '../store/conversation-state.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { PageEdge } from './page-edge.js';
import { RowView } from './row-view.js';
import { rowsOf } from './rows.js';
import { useMessageScroll } from './use-message-scroll.js';

export interface MessageListProps {
  state: ConversationState;
  store: ConversationStore;
  /** The message in the address. */
  marked: string | null;
}

export function MessageList({ state, store, marked }: MessageListProps) {
  const { status, shown, loading, unloaded } = state;
  const isReady = status === 'ready';
  const rows = useMemo(() => (isReady ? rowsOf(state) : []), [state, isReady]);
  const { scroller, list, isAtEnd } = useMessageScroll({ rows, state, store });
  const awaited = loading ?? unloaded;
  const isEdgeSeen = awaited === 'older' ? list.range?.startIndex === 0 : list.range?.endIndex === rows.length - 1;
  const goToEnd = () => {
    focusMessages();
    store.goToEnd();
  };
  return (
    <div className="messages">
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
                  <RowView row={row} state={state} store={store} marked={marked} />
                </div>
              )
            );
          })}
        </div>
      </section>
      {awaited && isEdgeSeen && (
        <PageEdge isNewer={awaited === 'newer'} isFailed={unloaded !== null} onRetry={store.loadAgain} />
      )}
      {isReady && (!isAtEnd || shown.hasNewer) && (
        <IconButton icon={ArrowDown} label="Jump to the latest message" className="messages-end" onClick={goToEnd} />
      )}
    </div>
  );
}

/** A scrollable element must be reachable by keyboard. */
const scrollable = { tabIndex: 0 };
