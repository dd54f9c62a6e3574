/**
 * Shown in place of a conversation that the viewer cannot see, until the list of threads gets its thread: somebody has shared it.
 * What they were writing when it was hidden can be copied from here.
 */
import { useEffect, useId, useRef } from 'react';
import { defineTexts, useTexts } from '../language/texts.js';
import NotFoundPage from '../shell/not-found-page.js';
import { useListedThread } from '../threads/store/thread-list-context.js';
import { CopyButton } from '../ui/copy-button.js';
import { TextArea } from '../ui/text-area.js';
import { useDraft } from './composer/use-draft.js';
import '../ui/field.css';

const texts = defineTexts('conversation/missing-thread', {
  unsent: 'What you wrote here and did not send',
  copy: 'Copy what you wrote',
});

export default function MissingThread({ threadId, onShared }: { threadId: string; onShared: () => void }) {
  const t = useTexts(texts);
  const isListed = useListedThread(threadId) !== null;
  const wasListed = useRef(isListed);
  const { text } = useDraft(threadId);
  const field = useId();
  useEffect(() => {
    // The conversation may hear before the list does that the thread is hidden.
    if (isListed && !wasListed.current) onShared();
    wasListed.current = isListed;
  }, [isListed, onShared]);
  return (
    <NotFoundPage what="thread">
      {text && (
        <div className="field">
          <label htmlFor={field}>{t.unsent}</label>
          <TextArea id={field} className="input" readOnly rows={4} value={text} />
        </div>
      )}
      {text && <CopyButton label={t.copy} text={text} />}
    </NotFoundPage>
  );
}
