/**
 * The message editor. Enter sends and Shift+Enter inserts a new line, except on touch screens: their keyboards have no
 * Shift+Enter, so there Enter inserts a new line and the button sends. A draft stays in this browser until the service has
 * accepted it.
 */
import { type FormEvent, useEffect, useRef } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { useViewer } from '../../sign-in/session.js';
import { usePassedFocus } from '../../ui/page/use-passed-focus.js';
import { Problem } from '../../ui/problem.js';
import { late, loadOnApproach } from '../../ui/state/late-component.js';
import { TextArea, useGrowth } from '../../ui/text-area.js';
import { focusAtEnd, focusMessages } from '../conversation-focus.js';
import type { Draft } from '../store/send.js';
import { forgetModelsBesides } from './chosen-model.js';
import { ComposerButtons } from './composer-buttons.js';
import { composerKeys, touch } from './composer-keys.js';
import { AttachButton, DraftFiles, DropArea, SurplusFiles } from './draft-files.js';
import { QueuedRow } from './queued-row.js';
import { typing } from './typing-signal.js';
import { useFileDrop } from './use-file-drop.js';
import { useMessage } from './use-message.js';
import './composer.css';

const texts = defineTexts('conversation/composer/composer', { message: 'Message' });

const { Component: BusyQuestion, approaching } = loadOnApproach(() => import('./busy-question.js'));
const ModelChoice = late(() => import('./model-choice.js'));

export interface ComposerProps {
  /** Identifies the draft. */
  place: string;
  placeholder: string;
  isBusy: boolean;
  /** Returns null if the message was accepted, else the error to show. */
  onSend: (draft: Draft) => Promise<string | null>;
  /** Returns null if the answer was stopped or had ended, else the error to show. */
  onStop?: () => Promise<string | null>;
  /** Opens the editor of the last message that was sent; false if there is none. */
  onEditLast?: () => boolean;
  /** Whether the field gets the focus at once. */
  hasFocus?: boolean;
}

export function Composer({
  place,
  placeholder,
  isBusy,
  onSend,
  onStop,
  onEditLast = () => false,
  hasFocus,
}: ComposerProps) {
  const t = useTexts(texts);
  const { models } = useViewer();
  useEffect(() => forgetModelsBesides(models), [models]);
  const message = useMessage({ place, isBusy, onSend });
  const { text, attachments, isReady, isAsking, setAsking, queued } = message;
  const isDropping = useFileDrop(attachments.add);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  // The composer is removed when the thread fails.
  usePassedFocus(form, focusMessages);
  useEffect(() => {
    // On a phone this would open the on-screen keyboard, which covers half of the page.
    if (hasFocus && !touch.matches && field.current) focusAtEnd(field.current);
  }, [hasFocus]);
  // It must be there when the connection is lost during the answer.
  useEffect(() => (isBusy ? approaching.onFocus() : undefined), [isBusy]);
  useGrowth(field);
  const thenFocus = (act: () => void) => () => {
    act();
    field.current?.focus();
  };
  const stop = async () => message.setProblem((await onStop?.()) ?? null);
  const pressStop = () => {
    // Whoever stops an answer decides anew about the message that was to follow it.
    setAsking(false);
    focusMessages();
    void stop();
  };
  const sendNow = thenFocus(() => message.send(isBusy ? 'INTERRUPT' : 'REJECT'));
  const queue = thenFocus(message.queue);
  const takeBack = thenFocus(message.takeBack);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isReady) return;
    if (!isBusy) sendNow();
    else if (isAsking) queue();
    else setAsking(true);
  };
  const onKeyDown = composerKeys({
    submit,
    stop,
    takeBack,
    editLast: onEditLast,
    setAsking,
    isAsking,
    isBusy,
    isQueued: !!queued,
  });
  return (
    <form ref={form} className="composer" onSubmit={submit}>
      {isDropping && <DropArea />}
      <Problem message={message.problem} />
      <SurplusFiles names={attachments.surplus} />
      {queued && <QueuedRow message={queued} onEdit={takeBack} onInterrupt={thenFocus(message.sendQueued)} />}
      {isAsking && <BusyQuestion isReady={isReady} onInterrupt={sendNow} onWait={queue} field={field} />}
      <div className="composer-box">
        <DraftFiles files={attachments.files} onRemove={(key) => thenFocus(() => attachments.remove(key))()} />
        <TextArea
          ref={field}
          rows={1}
          enterKeyHint={touch.matches ? 'enter' : 'send'}
          aria-label={t.message}
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => {
            message.write(target.value);
            typing.emit(place);
          }}
          onKeyDown={onKeyDown}
        />
        <AttachButton onChoose={attachments.add} />
        <ComposerButtons isBusy={isBusy} isReady={isReady} onStop={pressStop} />
      </div>
      {models.length > 1 && <ModelChoice key={place} place={place} isBusy={isBusy} />}
    </form>
  );
}
