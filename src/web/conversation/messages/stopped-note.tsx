/** That an answer was stopped, and by whom. */
import { defineTexts, useTexts } from '../../language/texts.js';

const texts = defineTexts('conversation/messages/stopped-note', { stopped: 'The answer was stopped.' });
export function StoppedNote({ reason }: { reason: string }) {
  const t = useTexts(texts);
  return (
    <p className="answer-note answer-stopped">
      <strong>{t.stopped}</strong> <bdi>{reason}</bdi>
    </p>
  );
}
