/** Text as it was written. Each of its lines runs in the direction of its first letter. */
export function Plain({ text }: { text: string }) {
  return (
    <p className="plain" dir="auto">
      {text}
    </p>
  );
}
