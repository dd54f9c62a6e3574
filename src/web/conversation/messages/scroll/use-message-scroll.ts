/**
 * Scrolling of a conversation. While the reader is at the end, the list follows new text; while they read above it, or below
 * a question that they have just sent, nothing moves. Until the reader scrolls, the list stays at the place that the
 * conversation opened at. After that it loads more messages well before the reader reaches them.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type ConversationState, isShowable, type Place } from '../../store/conversation-state.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import { estimatedHeightPx, type Row, rowAt } from '../rows.js';
import { useOverscan } from './use-overscan.js';
import { edgePx, useQuestionOnTop, useRoomForAnswer, useSentQuestion } from './use-sent-question.js';

export interface MessageScrollOptions {
  rows: readonly Row[];
  state: ConversationState;
  store: ConversationStore;
}

const nearEndPx = 80;
/** About 40 messages, enough for a page to load in time even when scrolling fast. */
const aheadPx = 5000;
const movements = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

export function useMessageScroll({ rows, state, store }: MessageScrollOptions) {
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const hasMoved = useMovement(scroller);
  const question = useSentQuestion(state, rows);
  const room = useRoomForAnswer(state);
  const isFollowing = useFollowing(state);
  const overscan = useOverscan(isShowable(state));
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimatedHeightPx(rows[index]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan,
    anchorTo: room.isHeld ? 'start' : 'end',
    followOnAppend: isFollowing && !room.isHeld,
    scrollEndThreshold: nearEndPx,
    paddingStart: edgePx,
    paddingEnd: edgePx + room.roomPx,
    scrollPaddingStart: edgePx,
    onChange: (instance) => {
      const isEnd = instance.isAtEnd(nearEndPx);
      setAtEnd(isEnd);
      if (isEnd && hasMoved.current && room.roomPx === 0) room.hold(null);
    },
  });
  useEndInSight(scroller, list.scrollToEnd, room.isHeld);
  const { place } = state;
  const isReady = isShowable(state);
  const led = useRef<Place>(null);
  useLayoutEffect(() => {
    if (!isReady) return;
    const isNew = led.current !== place;
    led.current = place;
    if (isNew) hasMoved.current = false;
    if (hasMoved.current) return;
    const index = rowAt(rows, place);
    // Of a message that is higher than the list, its middle says least.
    const isHigh = (list.measurementsCache[index]?.size ?? 0) > (scroller.current?.clientHeight ?? 0);
    if (index >= 0) list.scrollToIndex(index, { align: isHigh ? 'start' : 'center' });
    else if (isNew) list.scrollToEnd();
  }, [isReady, place, rows, list, hasMoved]);
  useQuestionOnTop({ question, room, scroller, list, place });
  useLoadingAhead({ scroller, hasMoved, state, store });
  return { scroller, list, isAtEnd };
}

interface LoadingAhead extends Pick<MessageScrollOptions, 'state' | 'store'> {
  scroller: RefObject<HTMLElement | null>;
  hasMoved: RefObject<boolean>;
}

/** Loads more messages before the reader reaches them. */
function useLoadingAhead({ scroller, hasMoved, state, store }: LoadingAhead): void {
  const { status, shown } = state;
  // Runs after every render.
  useEffect(() => {
    if (status !== 'ready' || !scroller.current || !(shown.hasOlder || shown.hasNewer)) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current;
    const nearPx = hasMoved.current ? aheadPx : clientHeight / 2;
    if (scrollTop < nearPx) store.approach('older');
    if (scrollHeight - clientHeight - scrollTop < nearPx) store.approach('newer');
  });
}

/** Whether the reader has scrolled since this was last set to false. */
function useMovement(scroller: RefObject<HTMLElement | null>): RefObject<boolean> {
  const hasMoved = useRef(false);
  useEffect(() => {
    const element = scroller.current;
    const move = () => {
      hasMoved.current = true;
    };
    for (const movement of movements) element?.addEventListener(movement, move, { passive: true });
    return () => {
      for (const movement of movements) element?.removeEventListener(movement, move);
    };
  }, [scroller]);
  return hasMoved;
}

/**
 * Keeps the end in sight when the list becomes shorter, for example because a draft below it grows. The virtualizer goes on to seek
 * the end for a while, so it is not asked while a question is held: an answer that begins then would be followed.
 */
function useEndInSight(scroller: RefObject<HTMLElement | null>, scrollToEnd: () => void, isHeld: boolean): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let { clientHeight: heightPx } = element;
    const observer = new ResizeObserver(() => {
      // Becoming shorter does not move the list: it stands where the reader was, or where it was led to in the same moment.
      const wasAtEnd = element.scrollHeight - element.scrollTop - heightPx <= nearEndPx;
      const isToMove = element.clientHeight < heightPx && wasAtEnd;
      if (isToMove && isHeld) element.scrollTop = element.scrollHeight;
      else if (isToMove) scrollToEnd();
      heightPx = element.clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, scrollToEnd, isHeld]);
}

/** Whether messages added at the end are new. They are not when the window has just reached the end of the conversation. */
function useFollowing({ shown }: ConversationState): boolean {
  const wasAway = useRef(false);
  useEffect(() => {
    wasAway.current = shown.hasNewer;
  }, [shown]);
  return !shown.hasNewer && !wasAway.current;
}
