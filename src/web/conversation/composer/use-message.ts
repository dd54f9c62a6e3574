/**
 * The message that is being written: its text, its files, and how it is sent. While an answer runs, the user chooses whether to
 * interrupt it or to queue the message. If the answer ends before the user has chosen, the message is sent.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useProblem } from '../../ui/state/use-problem.js';
import { tooLong } from '../../ui/too-long.js';
import type { Draft } from '../store/send.js';
import { type DraftFile, uploadedOf, useAttachments } from './draft-attachments.js';
import { type QueuedMessage, queuedMessages } from './queued-messages.js';
import { useDraft } from './use-draft.js';

export interface MessageOptions {
  /** Identifies the draft: the ID of a thread, or "new". */
  place: string;
  isBusy: boolean;
  onSend: (draft: Draft) => Promise<string | null>;
}

export function useMessage({ place, isBusy, onSend }: MessageOptions) {
  const draft = useDraft(place);
  const attachments = useAttachments(place);
  const [problem, setProblem] = useProblem();
  const [isAsking, setAsking] = useState(false);
  const queued = useSyncExternalStore(queuedMessages.subscribe, () => queuedMessages.find(place));
  const hasContent = draft.text.trim() !== '' || uploadedOf(attachments.files).length > 0;
  const excess = tooLong(draft.text, 'message');
  const isReady = hasContent && !attachments.isUploading && excess === null;

  const deliver = async ({ text, files }: QueuedMessage, onBusy: Draft['onBusy']) => {
    const refusal = await onSend({ text, files: uploadedOf(files), onBusy, key: draft.keyOf(text, files) });
    setProblem(refusal);
    if (refusal !== null) return giveBack({ text, files });
    attachments.settle(files);
    draft.settle(text);
  };
  const giveBack = ({ text, files }: QueuedMessage) => {
    draft.giveBack(text);
    attachments.giveBack(files);
  };
  const lift = (): QueuedMessage => {
    setAsking(false);
    return { text: draft.lift(), files: attachments.lift() };
  };
  const send = (onBusy: Draft['onBusy']) => void deliver(lift(), onBusy);
  /** Puts the message at the end of the queue: what waits already and this are sent as one message. */
  const queue = () => {
    const message = lift();
    const waiting = queuedMessages.take(place);
    const files: readonly DraftFile[] = [...(waiting?.files ?? []), ...message.files];
    const text = waiting ? draft.join(waiting.text, message.text) : message.text;
    queuedMessages.add(place, { text, files }, { deliver, giveBack });
  };
  const takeBack = () => {
    const message = queuedMessages.take(place);
    if (message) giveBack(message);
  };
  const sendQueued = () => {
    const message = queuedMessages.take(place);
    if (message) void deliver(message, 'INTERRUPT');
  };
  useEffect(() => {
    if (!isAsking || isBusy) return;
    // The queue sends it as soon as the thread accepts it, which may be a moment later.
    if (isReady) queue();
    else setAsking(false);
  });
  return {
    ...{ text: draft.text, write: draft.write, attachments, isReady, problem: excess ?? problem, setProblem },
    ...{ isAsking, setAsking, queued, send, queue, takeBack, sendQueued },
  };
}
