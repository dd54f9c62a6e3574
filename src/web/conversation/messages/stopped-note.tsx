/** That an answer was stopped, and by whom. */
import { defineTexts, useTexts } from '../../language/texts.js';

export const endTexts = defineTexts('conversation/messages/stopped-note', {
  stopped: 'The answer was stopped.',
  failed: 'The assistant failed.',
});

export function StoppedNote({ reason }: { reason: string }) {
  const t = useTexts(endTexts);
  return (
    <p className="answer-note answer-stopped">
      <strong>{t.stopped}</strong> <bdi>{reason}</bdi>
    </p>
  );
}
