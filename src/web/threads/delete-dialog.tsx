/** Deletes a thread for good, after a confirmation. */
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { runMutation } from '../api/client.js';
import { deleteMutation } from '../api/thread-documents.js';
import type { Thread } from '../api/types.js';
import { removeDrafts } from '../conversation/composer/use-draft.js';
import { defineTexts, useTexts, withValues } from '../language/texts.js';
import { useViewer } from '../sign-in/session.js';
import { Confirmation } from '../ui/confirmation.js';
import { threadTitle } from '../ui/display-name.js';
import { focusAfter } from './panel/focus-after.js';
import { useThreadListStore } from './store/thread-list-context.js';

const texts = defineTexts('threads/delete-dialog', {
  question: withValues('Delete “{title}”?'),
  consequence: 'The thread is deleted for good, with its messages and files, for everyone who can read it.',
  confirm: 'Delete',
  deleted: withValues('“{title}” was deleted.'),
});

export interface DeleteDialogProps {
  thread: Thread;
  onClose: () => void;
  /** Closes the dialog with words that say what happened. */
  onDone: (words: string) => void;
}

export default function DeleteDialog({ thread, onClose, onDone }: DeleteDialogProps) {
  const t = useTexts(texts);
  const { sub } = useViewer();
  const store = useThreadListStore();
  const [, navigate] = useLocation();
  const next = useNextFocus();
  const isGone = useRef(false);
  const { id } = thread;
  const title = threadTitle(thread);
  const run = async () => {
    const outcome = await runMutation(deleteMutation, { id });
    // It may have been deleted elsewhere first.
    if (!outcome.ok && outcome.code !== 'NOT_FOUND') return outcome.message;
    isGone.current = true;
    onDone(t.deleted({ title }));
    if (`${location.pathname}/`.startsWith(`/threads/${id}/`)) navigate('/', { replace: true });
    store.remove(id);
    removeDrafts(sub, id);
    return null;
  };
  return (
    <Confirmation
      title={t.question({ title })}
      confirm={t.confirm}
      run={run}
      onClose={onClose}
      finalFocus={() => !isGone.current || next}
    >
      <p>{t.consequence}</p>
    </Confirmation>
  );
}

/**
 * Where the focus goes when the row in which the dialog was opened is gone. It is looked up at once, since the list may hear of
 * the deletion before the dialog does. False outside of the list: the page that comes next takes the focus.
 */
function useNextFocus(): HTMLElement | false {
  const [next] = useState(() => {
    const row = document.activeElement?.closest('.thread-row');
    return row ? focusAfter(row) : null;
  });
  return next ?? false;
}
