/** The reasoning of the model before its answer, collapsed. */
export function Thinking({ text, isOver }: { text: string; isOver: boolean }) {
  return (
    <details className="thinking">
      <summary>{isOver ? 'Reasoning' : 'Thinking…'}</summary>
      <p className="plain">{text}</p>
    </details>
  );
}
