/** That an answer ends before its end. */
export function TruncatedNote() {
  return (
    <p className="answer-note">
      <strong>The answer is cut.</strong> The model reached the maximum length of its answers. Ask it to continue.
    </p>
  );
}
