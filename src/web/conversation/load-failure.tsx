/** Shown in place of the messages when the conversation did not load. It loads by itself when the service responds again. */
import { defineTexts, useTexts } from '../language/texts.js';
import { RetryButton } from '../ui/common-buttons.js';
import type { ConversationStore } from './store/conversation-store.js';

const texts = defineTexts('conversation/load-failure', {
  title: 'The conversation did not load',
  later: 'The conversation appears here as soon as the service responds.',
});

export function LoadFailure({ problem, store }: { problem: string | null; store: ConversationStore }) {
  const t = useTexts(texts);
  return (
    <div className="page-middle conversation-middle" role="alert">
      <h2>{t.title}</h2>
      <p>
        {problem} {t.later}
      </p>
      <RetryButton onClick={() => void store.refresh()} />
    </div>
  );
}
