/** The spans of days that usage is shown for. Days are those of UTC, as the service counts them. */
export interface Span {
  /** Both included, as `2026-11-23`. */
  from: string;
  to: string;
}

export const spanNames = ['thisMonth', 'lastMonth', 'week', 'custom'] as const;
export type SpanName = (typeof spanNames)[number];

const dayMs = 86_400_000;

/** The days of a span that has a name, seen from a moment. */
export function spanOf(name: Exclude<SpanName, 'custom'>, now: Date): Span {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  if (name === 'thisMonth') return { from: dayOf(Date.UTC(year, month, 1)), to: dayOf(now.getTime()) };
  if (name === 'lastMonth') return { from: dayOf(Date.UTC(year, month - 1, 1)), to: dayOf(Date.UTC(year, month, 0)) };
  return { from: dayOf(now.getTime() - 6 * dayMs), to: dayOf(now.getTime()) };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
