import { isStress, propertyRuns } from '../support/case-counts.js';

/** How many sequences each model is tried with; RUNS asks for more, such as 50000 at night. */
export const modelRuns = Number(process.env['RUNS'] ?? propertyRuns(500));

/** The same of a model whose sequences are dear: of overlaps, each statement runs over a connection of its own. */
export const overlapRuns = Number(process.env['RUNS'] ?? (isStress ? 500 : 25));

export const modelLimitMs = Math.max(600_000, modelRuns * 100);
