/** That an answer ends before its end. */
import { defineTexts, useTexts } from '../../language/texts.js';

const texts = defineTexts('conversation/messages/truncated-note', {
  cut: 'The answer is cut.',
  reason: 'The model reached the maximum length of its answers. Ask it to continue.',
});

export default function TruncatedNote() {
  const t = useTexts(texts);
  return (
    <p className="answer-note">
      <strong>{t.cut}</strong> {t.reason}
    </p>
  );
}
