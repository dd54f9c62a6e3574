import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { type HousekeepingStep, housekeepingSteps } from '../../../src/process/housekeeping-steps.js';

export function stepNamed(name: string): HousekeepingStep {
  const step = housekeepingSteps.find((candidate) => candidate.name === name);
  if (!step) throw new Error(`There is no step ${name}.`);
  return step;
}

/** Runs one statement of a step of housekeeping, and tells how many rows it removed. */
export function removeExpired(database: PrismaClient, name: string): Promise<number> {
  return stepNamed(name).remove(database, 1_000);
}
