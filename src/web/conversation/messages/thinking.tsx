/** The reasoning of the model before its answer, collapsed. */
import { defineTexts, useTexts } from '../../language/texts.js';
import { Plain } from './plain.js';

const texts = defineTexts('conversation/messages/thinking', { reasoning: 'Reasoning', thinking: 'Thinking…' });

export function Thinking({ text, isOver }: { text: string; isOver: boolean }) {
  const t = useTexts(texts);
  return (
    <details className="thinking">
      <summary>{isOver ? t.reasoning : t.thinking}</summary>
      <Plain text={text} />
    </details>
  );
}
