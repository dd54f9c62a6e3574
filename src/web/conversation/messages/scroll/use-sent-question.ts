/**
 * A question goes to the top when it is sent, with room for its answer below, so that nothing moves under the eyes of whoever
 * reads while the answer grows. An answer that outgrows the room is followed only once the reader has gone to its end.
 */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { ConversationState, Place } from '../../store/conversation-state.js';
import type { Row } from '../rows.js';

/** What is left free above the first and below the last row. */
export const edgePx = 16;

/** What is asked of the list. */
interface Measured {
  measurementsCache: readonly { start: number; end: number }[];
  scrollToIndex: (index: number, options: { align: 'start' }) => void;
}

interface Sent {
  key: string;
  messageId: string | null;
}

/** The question that was sent last in this page: its place among the rows, or -1. */
export function useSentQuestion({ pending, status }: ConversationState, rows: readonly Row[]) {
  const [sent, setSent] = useState<Sent | null>(null);
  const last = pending.at(-1);
  if (last && (last.key !== sent?.key || last.messageId !== sent.messageId)) {
    setSent({ key: last.key, messageId: last.messageId });
  }
  const index = rows.findLastIndex(
    (row) => row.kind === 'pending' || (row.kind === 'message' && row.message.id === sent?.messageId),
  );
  // It goes to the top once more when the conversation that it was sent to has loaded above it.
  return { key: sent && `${sent.key} ${status}`, index };
}

/** Whether what is in sight stays where it is, and the room below the answer in pixels. */
export function useRoomForAnswer({ place, branching }: ConversationState) {
  const [roomPx, setRoom] = useState(0);
  /** The place that the list was led to when the question was sent; the list is free when it is led elsewhere. */
  const [heldAt, setHeldAt] = useState<Place | null>(null);
  // A message that is edited is higher than before, and at the end of the list its field would be pushed out of sight.
  const isHeld = heldAt === place || branching?.isEditing === true;
  return { roomPx, setRoom, isHeld, hold: setHeldAt };
}

export interface QuestionOnTopOptions {
  question: ReturnType<typeof useSentQuestion>;
  room: ReturnType<typeof useRoomForAnswer>;
  scroller: RefObject<HTMLElement | null>;
  list: Measured;
  place: Place;
}

/** Makes the room after each render, and brings a question that was just sent to the top once there is room. */
export function useQuestionOnTop({ question, room, scroller, list, place }: QuestionOnTopOptions): void {
  const raised = useRef<string | null>(null);
  useLayoutEffect(() => {
    const first = list.measurementsCache[question.index];
    const last = list.measurementsCache.at(-1);
    const heightPx = scroller.current?.clientHeight ?? 0;
    const wantedPx = first && last ? Math.max(0, Math.floor(heightPx - (last.end - first.start) - 2 * edgePx)) : 0;
    if (wantedPx !== room.roomPx) return room.setRoom(wantedPx);
    if (!first || raised.current === question.key) return;
    raised.current = question.key;
    room.hold(place);
    list.scrollToIndex(question.index, { align: 'start' });
  });
}
