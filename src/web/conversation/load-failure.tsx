/** Shown in place of the messages when the conversation did not load. It loads by itself when the service responds again. */
import { defineTexts, useTexts } from '../language/texts.js';
import { Button } from '../ui/button.js';
import type { ConversationStore } from './store/conversation-store.js';

const texts = defineTexts('conversation/load-failure', {
  title: 'The conversation did not load',
  later: 'The conversation appears here as soon as the service responds.',
  again: 'Try again',
});

export function LoadFailure({ problem, store }: { problem: string | null; store: ConversationStore }) {
  const t = useTexts(texts);
  return (
    <div className="page-middle conversation-middle" role="alert">
      <h2>{t.title}</h2>
      <p>
        {problem} {t.later}
      </p>
      <Button onClick={() => void store.refresh()}>{t.again}</Button>
    </div>
  );
}
