/**
 * The message editor. Enter sends and Shift+Enter inserts a new line. A draft stays in this browser until the service has
 * accepted it.
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
  /** Identifies the draft. */
  place: string;
  placeholder: string;
  isBusy: boolean;
  /** Returns null if the message was accepted, else the error to show. */
  onSend: (draft: Draft) => Promise<string | null>;
  /** Returns null if the answer was stopped or had ended, else the error to show. */
  onStop?: () => Promise<string | null>;
  /** Whether the field gets the focus at once. */
  hasFocus?: boolean;
}

interface Focus {
  form: RefObject<HTMLFormElement | null>;
  field: RefObject<HTMLTextAreaElement | null>;
  hasFocus: boolean | undefined;
}

/** Moves the focus when the composer appears and when it disappears. */
function useFocus({ form, field, hasFocus }: Focus): void {
  useLayoutEffect(() => {
    const element = form.current;
    // The composer is removed when the thread fails.
    return () => {
      if (element?.contains(document.activeElement)) focusMessages();
    };
  }, [form]);
  useEffect(() => {
    // On a phone this would open the on-screen keyboard, which covers half of the page.
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
  // The end of the answer settles the question.
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
