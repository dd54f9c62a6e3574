/** The reasoning of the model before its answer, collapsed. */
import { Plain } from './plain.js';

export function Thinking({ text, isOver }: { text: string; isOver: boolean }) {
  return (
    <details className="thinking">
      <summary>{isOver ? 'Reasoning' : 'Thinking…'}</summary>
      <Plain text={text} />
    </details>
  );
}
