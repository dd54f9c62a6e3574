/**
 * A position in a response: the attempt (epoch) and how much of its text a reader has. The same string is the `id:` of
 * a REST event, the `cursor` of a GraphQL event and the response's own cursor. Counting UTF-16 units of text instead of
 * events is what lets a reader resume exactly from the stored message, after a restart or years later.
 */
export interface Position {
  epoch: number;
  /** UTF-16 code units of the response's text already received, or `end` after the last event. */
  text: number | 'end';
  /** UTF-16 code units of thinking already received; 0 for readers who do not get thinking. */
  thinking: number;
}

const pattern = /^(0|[1-9][0-9]{0,14})-(end|(0|[1-9][0-9]{0,9})(?:-(0|[1-9][0-9]{0,9}))?)$/;

export function formatPosition(position: Position): string {
  const thinking = position.text !== 'end' && position.thinking > 0 ? `-${position.thinking}` : '';
  return `${position.epoch}-${position.text}${thinking}`;
}

/** Parses a position; null if the string is invalid: such a reader starts from the beginning. */
export function parsePosition(value: string | null | undefined): Position | null {
  const match = value == null ? null : pattern.exec(value);
  if (!match) return null;
  const epoch = Number(match[1]);
  if (match[2] === 'end') return { epoch, text: 'end', thinking: 0 };
  return { epoch, text: Number(match[3]), thinking: Number(match[4] ?? 0) };
}
