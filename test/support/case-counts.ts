/**
 * How many cases run where a test generates or repeats them, and with which seed: few cases of a fixed seed in `fast` and
 * `system`, so that a run can be repeated, and all of them, of a seed of its own, in `stress`. A smaller count leaves out
 * repetitions only, never a kind of case.
 */
/** Whether the test runs in the project `stress`, where limits of time and memory hold as well. */
export const isStress = process.env['STRESS'] === '1';

/** What the choices of a test depend on; the same seed gives the same choices. */
export const seed = Number(process.env['TEST_SEED'] ?? 1);

/** The variable, if it is set, asks for a count of its own. */
export function caseCount(variable: string, { usual, full }: { usual: number; full: number }): number {
  const asked = process.env[variable];
  if (asked !== undefined) return Number(asked);
  return isStress ? full : usual;
}

/** For `numRuns` of a property: a tenth of them by default, but enough to shrink what they find. */
export function propertyRuns(full: number): number {
  return isStress ? full : Math.min(full, Math.max(15, Math.ceil(full / 10)));
}
