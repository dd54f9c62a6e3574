/**
 * Where a message is written. Press Enter to send, Shift+Enter for a new line. A draft stays in this browser until it was accepted;
 * while the assistant is answering, sending asks whether to interrupt it.
 */
import ArrowUp from 'lucide-react/icons/arrow-up';
import Square from 'lucide-react/icons/square';
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { textLimits } from '../../../contract/text-limits.js';
import { IconButton } from '../../ui/button.js';
import { Problem } from '../../ui/field.js';
import { focusMessages } from '../conversation-focus.js';
import type { Draft } from '../store/send.js';
import { BusyQuestion } from './busy-question.js';
import { AttachButton, DraftFiles } from './draft-files.js';
import { uploadedOf, useAttachments } from './use-attachments.js';
import { useDraft } from './use-draft.js';
import './composer.css';

export interface ComposerProps {
  /** Names the draft. */
  place: string;
  placeholder: string;
  isBusy: boolean;
  /** Null where it was accepted, else what to tell whoever wrote it. */
  onSend: (draft: Draft) => Promise<string | null>;
  /** Null where the answer is stopped or was over, else why it goes on. */
  onStop?: () => Promise<string | null>;
  /** True: one can write at once. */
  hasFocus?: boolean;
}

interface Focus {
  form: RefObject<HTMLFormElement | null>;
  field: RefObject<HTMLTextAreaElement | null>;
  hasFocus: boolean | undefined;
}

/** Where the focus goes when the composer comes, and when it goes. */
function useFocus({ form, field, hasFocus }: Focus): void {
  useLayoutEffect(() => {
    const element = form.current;
    // Where the assistant fails nothing more can be written.
    return () => {
      if (element?.contains(document.activeElement)) focusMessages();
    };
  }, [form]);
  useEffect(() => {
    // On a phone it would bring up the keyboard, over half of what there is to read.
    if (hasFocus && matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [field, hasFocus]);
}

export function Composer({ place, placeholder, isBusy, onSend, onStop, hasFocus }: ComposerProps) {
  const { text, write, lift, settle, giveBack } = useDraft(place);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const attachments = useAttachments();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useFocus({ form, field, hasFocus });
  // What was asked is settled by the end of the answer.
  if (isAsking && !isBusy) setAsking(false);
  const isReady = text.trim() !== '' && !attachments.isUploading;

  const send = async (onBusy: Draft['onBusy']) => {
    const files = attachments.lift();
    setAsking(false);
    lift();
    field.current?.focus();
    const refusal = await onSend({ text, files: uploadedOf(files), onBusy });
    setProblem(refusal);
    if (refusal === null) return settle(text);
    giveBack(text);
    attachments.giveBack(files);
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isReady) return;
    if (isBusy) setAsking(true);
    else void send('REJECT');
  };
  const wait = () => {
    setAsking(false);
    field.current?.focus();
  };
  const stop = async () => setProblem((await onStop?.()) ?? null);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape') {
      if (isAsking) setAsking(false);
      else if (isBusy) void stop();
    }
  };
  const pressStop = () => {
    focusMessages();
    void stop();
  };
  const removeFile = (key: string) => {
    attachments.remove(key);
    field.current?.focus();
  };
  return (
    <form ref={form} className="composer" onSubmit={submit}>
      <Problem message={problem} />
      {isAsking && (
        <BusyQuestion isReady={isReady} onInterrupt={() => void send('INTERRUPT')} onWait={wait} field={field} />
      )}
      <div className="composer-box">
        <DraftFiles files={attachments.files} onRemove={removeFile} />
        <textarea
          ref={field}
          rows={1}
          aria-label="Message"
          placeholder={placeholder}
          maxLength={textLimits.message.max}
          value={text}
          onChange={({ target }) => write(target.value)}
          onKeyDown={onKeyDown}
          onPaste={({ clipboardData }) => attachments.add(clipboardData.files)}
        />
        <AttachButton onChoose={attachments.add} />
        {isBusy && !isReady ? (
          <IconButton icon={Square} variant="primary" label="Stop answering (Escape)" onClick={pressStop} />
        ) : (
          <IconButton icon={ArrowUp} variant="primary" label="Send" type="submit" aria-disabled={!isReady} />
        )}
      </div>
    </form>
  );
}
