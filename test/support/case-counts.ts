/**
 * How many cases run where a test generates or repeats them: few by default, so that `npm test` is quick, and all with
 * FULL_TESTS=1, as in continuous integration. A smaller count leaves out repetitions only, never a kind of case.
 */
export const isFull = process.env['FULL_TESTS'] === '1';

/** The variable, if it is set, asks for a count of its own. */
export function caseCount(variable: string, { usual, full }: { usual: number; full: number }): number {
  const asked = process.env[variable];
  if (asked !== undefined) return Number(asked);
  return isFull ? full : usual;
}

/** For `numRuns` of a property: a tenth of them by default, but enough to shrink what they find. */
export function propertyRuns(full: number): number {
  return isFull ? full : Math.min(full, Math.max(15, Math.ceil(full / 10)));
}
