/** Bounds of the texts of callers in characters (Unicode code points), in both APIs and the web application. */
export const textLimits = {
  message: { min: 1, max: 100_000, blank: false },
  key: { min: 1, max: 255, blank: false },
  name: { min: 0, max: 255, blank: true },
  instructions: { min: 1, max: 4000, blank: false },
  search: { min: 0, max: 500, blank: true },
  feedback: { min: 0, max: 10_000, blank: true },
} as const;

/** A bound as descriptions state it: "1 to 100,000 characters", "at most 255 characters". */
export function statedLimit(limit: keyof typeof textLimits): string {
  const { min, max } = textLimits[limit];
  const most = max.toLocaleString('en-US');
  return `${min > 0 ? `${min} to` : 'at most'} ${most} characters`;
}
