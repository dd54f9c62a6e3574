/** That an answer was stopped, and by whom. */
export function StoppedNote({ reason }: { reason: string }) {
  return (
    <p className="answer-note answer-stopped">
      <strong>The answer was stopped.</strong> <bdi>{reason}</bdi>
    </p>
  );
}
