/**
 * Where a message is written. Enter sends, Shift+Enter begins a new line. A draft stays in this browser until it was accepted;
 * while the assistant is answering, sending asks whether to interrupt it.
 */
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../ui/button.js';
import { Problem } from '../ui/field.js';
import { focusMessages } from './conversation-focus.js';
import { AttachButton, DraftFiles } from './draft-files.js';
import type { Draft } from './send.js';
import { useAttachments } from './use-attachments.js';
import { useDraft } from './use-draft.js';
import './composer.css';

export interface ComposerProps {
  /** Names the draft. */
  place: string;
  placeholder: string;
  isBusy: boolean;
  /** Null where it was accepted, else what to tell whoever wrote it. */
  onSend: (draft: Draft) => Promise<string | null>;
  onStop?: () => void;
  /** True: one can write at once. */
  hasFocus?: boolean;
}

export function Composer({ place, placeholder, isBusy, onSend, onStop, hasFocus }: ComposerProps) {
  const { text, write, lift, settle } = useDraft(place);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const attachments = useAttachments();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // On a phone it would bring up the keyboard, over half of what there is to read.
    if (hasFocus && matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [hasFocus]);
  const isReady = text.trim() !== '' && !attachments.isUploading;

  const send = async (onBusy: Draft['onBusy']) => {
    const files = attachments.uploaded;
    setAsking(false);
    lift();
    field.current?.focus();
    const refusal = await onSend({ text, files, onBusy });
    setProblem(refusal);
    // What was written since then stands behind what came back.
    if (refusal !== null) return write([text, field.current?.value].filter(Boolean).join('\n'));
    settle(text);
    attachments.clear();
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isReady) return;
    if (isBusy) setAsking(true);
    else void send('REJECT');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape') {
      if (isAsking) setAsking(false);
      else if (isBusy) onStop?.();
    }
  };
  const stop = () => {
    focusMessages();
    onStop?.();
  };
  return (
    <form className="composer" onSubmit={submit}>
      <Problem message={problem} />
      {isAsking && isBusy && (
        <div className="notice composer-busy" role="alert">
          <span>The assistant is still answering.</span>
          <Button look="primary" onClick={() => void send('INTERRUPT')}>
            Interrupt and send
          </Button>
          <Button onClick={() => setAsking(false)}>Wait</Button>
        </div>
      )}
      <div className="composer-box">
        <DraftFiles files={attachments.files} onRemove={attachments.remove} />
        <textarea
          ref={field}
          rows={1}
          aria-label="Message"
          placeholder={placeholder}
          maxLength={100_000}
          value={text}
          onChange={({ target }) => write(target.value)}
          onKeyDown={onKeyDown}
          onPaste={({ clipboardData }) => attachments.add(clipboardData.files)}
        />
        <AttachButton onChoose={attachments.add} />
        {isBusy && !isReady ? (
          <IconButton icon="stop" look="primary" label="Stop answering (Escape)" onClick={stop} />
        ) : (
          <IconButton icon="send" look="primary" label="Send" type="submit" disabled={!isReady} />
        )}
      </div>
    </form>
  );
}
