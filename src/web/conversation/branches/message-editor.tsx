/**
 * Edits a message that was sent. What was written stays in this browser until it is sent: Escape closes the editor and keeps it
 * for the next time, and Cancel discards it.
 */
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import type { Message } from '../../api/types.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { CancelButton } from '../../ui/common-buttons.js';
import { Problem } from '../../ui/problem.js';
import { TextArea, useGrowth } from '../../ui/text-area.js';
import { tooLong } from '../../ui/too-long.js';
import { sends } from '../composer/composer-keys.js';
import { useEditedText } from '../composer/use-edited-text.js';
import { focusAtEnd, focusComposer } from '../conversation-focus.js';
import type { Branching } from '../store/conversation-state.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { textOf } from '../store/message-window.js';
import { editMessage } from '../store/send.js';
import { wantFocus } from './wanted-focus.js';
import './message-editor.css';

const texts = defineTexts('conversation/branches/message-editor', {
  edit: 'Edit message',
  save: 'Save and send',
});

export interface MessageEditorProps {
  message: Message;
  /** Why the conversation cannot branch now; null if it can. */
  blocked: string | null;
  branching: Branching;
  store: ConversationStore;
}

export default function MessageEditor({ message, blocked, branching, store }: MessageEditorProps) {
  const t = useTexts(texts);
  const place = `${store.threadId}.${branching.draftId ?? message.id}`;
  const { text, write, discard } = useEditedText(place, textOf(message));
  const field = useRef<HTMLTextAreaElement>(null);
  useGrowth(field);
  useEffect(() => {
    if (field.current) focusAtEnd(field.current);
  }, []);
  const excess = tooLong(text, 'message');
  const isReady = blocked === null && excess === null && (text.trim() !== '' || message.attachments.length > 0);
  const close = () => {
    wantFocus(`edit ${message.id}`);
    store.dispatch({ type: 'branchingChanged', branching: null });
  };
  const save = async (event?: FormEvent) => {
    event?.preventDefault();
    if (!isReady) return;
    focusComposer();
    // Another window may have removed it, with its edit of the same message.
    write(text);
    if ((await editMessage(store, message, text)).ok) discard();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') close();
    if (!sends(event)) return;
    event.preventDefault();
    void save();
  };
  const cancel = () => {
    discard();
    close();
  };
  return (
    <form className="message-editor" onSubmit={(event) => void save(event)}>
      <TextArea
        ref={field}
        className="input"
        aria-label={t.edit}
        value={text}
        onChange={({ target }) => write(target.value)}
        onKeyDown={onKeyDown}
      />
      <Problem message={excess ?? branching.problem} />
      <div className="buttons buttons-end">
        <CancelButton onClick={cancel} />
        <Button variant="primary" type="submit" aria-disabled={!isReady} title={blocked ?? undefined}>
          {t.save}
        </Button>
      </div>
    </form>
  );
}
