/** The messages. Only those in sight are in the DOM. */
import ArrowDown from 'lucide-react/icons/arrow-down';
import { type CSSProperties, type KeyboardEvent, useMemo } from 'react';
import type { Choice } from '../../api/types.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import { RetryButton } from '../../ui/common-buttons.js';
import { scrollable } from '../../ui/scrollable.js';
import { isPlainKey } from '../../ui/typing.js';
import { focusMessages } from '../conversation-focus.js';
import { type ConversationState, isBusy, isShowable } from '../store/conversation-state.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { RowView } from './row-view.js';
import { rowsOf } from './rows.js';
import { useMessageScroll } from './scroll/use-message-scroll.js';
import './page-edge.css';

const texts = defineTexts('conversation/messages/message-list', {
  conversation: 'Conversation',
  loading: 'Loading the conversation…',
  toEnd: 'Jump to the latest message',
  newer: 'Loading newer messages…',
  earlier: 'Loading earlier messages…',
  newerFailed: 'The newer messages did not load.',
  earlierFailed: 'The earlier messages did not load.',
  failed: 'This thread failed and cannot be changed',
  busy: 'Wait for the answer to end',
});

export interface MessageListProps {
  state: ConversationState;
  store: ConversationStore;
  /** The message in the address. */
  marked: string | null;
  /** The question that waits for an answer. */
  question: Choice | undefined;
}

export function MessageList({ state, store, marked, question }: MessageListProps) {
  const t = useTexts(texts);
  const { status, shown, loading, unloaded } = state;
  const isReady = isShowable(state);
  const rows = useMemo(() => (isReady ? rowsOf(state, question) : []), [state, question, isReady]);
  const { scroller, list, isAtEnd } = useMessageScroll({ rows, state, store });
  const blocked = blockedIn(state);
  const awaited = loading ?? unloaded;
  const isEdgeSeen = awaited === 'older' ? list.range?.startIndex === 0 : list.range?.endIndex === rows.length - 1;
  const seekEnd = () => store.dispatch({ type: 'sought', messageId: null });
  const goToEnd = () => {
    focusMessages();
    seekEnd();
  };
  // By itself the key leads to where the conversation ended when it was pressed, and to what is loaded of it.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'End' || !isPlainKey(event.nativeEvent)) return;
    event.preventDefault();
    seekEnd();
  };
  return (
    <div className="messages">
      <section
        ref={scroller}
        className="messages-scroll"
        aria-label={t.conversation}
        onKeyDown={onKeyDown}
        {...scrollable}
      >
        <div className="messages-space" style={placed('--height', list.getTotalSize())}>
          {list.getVirtualItems().map(({ key, index, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  ref={list.measureElement}
                  data-index={index}
                  className="messages-row"
                  data-stopped={rows[index + 1]?.kind === 'stopped'}
                  style={placed('--top', start)}
                >
                  <RowView row={row} state={state} store={store} marked={marked} blocked={blocked} />
                </div>
              )
            );
          })}
        </div>
      </section>
      {!isReady && status === 'loading' && <p className="messages-loading">{t.loading}</p>}
      {awaited && isEdgeSeen && (
        <PageEdge
          isNewer={awaited === 'newer'}
          isFailed={unloaded !== null}
          onRetry={() => store.dispatch({ type: 'pageRetried' })}
        />
      )}
      {isReady && (!isAtEnd || shown.hasNewer) && (
        <IconButton icon={ArrowDown} label={t.toEnd} className="messages-end" onClick={goToEnd} />
      )}
    </div>
  );
}

interface PageEdgeProps {
  /** True at the end of the loaded messages, false at their start. */
  isNewer: boolean;
  isFailed: boolean;
  onRetry: () => void;
}

/** At the edge of the loaded messages, while more are loading or when loading failed. */
function PageEdge({ isNewer, isFailed, onRetry }: PageEdgeProps) {
  const t = useTexts(texts);
  const [loading, failed] = isNewer ? [t.newer, t.newerFailed] : [t.earlier, t.earlierFailed];
  return (
    <p className={`page-edge ${isNewer ? 'page-edge-newer' : ''}`} role="status">
      {isFailed ? failed : loading}
      {isFailed && <RetryButton onClick={onRetry} />}
    </p>
  );
}

/** Why the conversation cannot branch now; null if it can. */
function blockedIn({ thread, live, pending }: ConversationState): string | null {
  if (thread?.state === 'ERROR') return texts.get().failed;
  return isBusy(thread, live) || pending.length > 0 ? texts.get().busy : null;
}

/** As a property, which paper does without. */
export function placed(name: '--height' | '--top', px: number): CSSProperties {
  return { [name]: `${px}px` };
}
