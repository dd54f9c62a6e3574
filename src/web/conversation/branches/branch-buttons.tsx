/** The buttons that branch a conversation: one edits a message, the other asks for another answer to it. */
import Pencil from 'lucide-react/icons/pencil';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useRef } from 'react';
import type { Message } from '../../api/types.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import { loadOnApproach } from '../../ui/state/late-component.js';
import { focusMessages } from '../conversation-focus.js';
import { Plain } from '../messages/plain.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { textOf } from '../store/message-window.js';
import { regenerate } from '../store/send.js';
import { useWantedFocus } from './wanted-focus.js';

const texts = defineTexts('conversation/branches/branch-buttons', { edit: 'Edit message', regenerate: 'Regenerate' });

/** The editor of a message. */
export const { Component: MessageEditor, approaching } = loadOnApproach(
  () => import('./message-editor.js'),
  ({ message }) => <Plain text={textOf(message)} />,
);

interface BranchButtonProps {
  message: Message;
  /** Why the conversation cannot branch now; null if it can. */
  blocked: string | null;
  store: ConversationStore;
}

export function EditButton({ message, blocked, store }: BranchButtonProps) {
  const t = useTexts(texts);
  const button = useRef<HTMLButtonElement>(null);
  useWantedFocus(`edit ${message.id}`, button);
  const edit = () => {
    const branching = { messageId: message.id, isEditing: true, problem: null };
    if (blocked === null) store.dispatch({ type: 'branchingChanged', branching });
  };
  const state = blockedBy(blocked);
  return <IconButton ref={button} icon={Pencil} label={t.edit} small {...approaching} {...state} onClick={edit} />;
}

/** `message` is the answer. */
export function RegenerateButton({ message, blocked, store }: BranchButtonProps) {
  const t = useTexts(texts);
  const again = () => {
    const { shown, newest } = store.getState();
    const asked = [...shown.messages, ...newest.messages].find(({ id }) => id === message.replyToId);
    if (blocked !== null || !asked) return;
    focusMessages();
    void regenerate(store, asked);
  };
  return <IconButton icon={RefreshCw} label={t.regenerate} small {...blockedBy(blocked)} onClick={again} />;
}

/** A disabled button keeps the focus, and says why it is disabled. */
function blockedBy(reason: string | null) {
  return reason === null ? {} : { 'aria-disabled': true, title: reason };
}
