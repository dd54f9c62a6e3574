/**
 * Removes expired rows. Each step deletes in batches found by an index, so no statement takes long, whatever has
 * accumulated. A failing step is logged and counted, and does not prevent the others. Nodes that clean at the same time
 * skip each other's rows.
 */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { IntervalLoop } from '../platform/async/interval-loop.js';
import type { MetricSource } from '../routes/operator.js';
import { type HousekeepingStep, housekeepingSteps } from './housekeeping-steps.js';

export interface HousekeepingOptions {
  database: PrismaClient;
  logger: Logger;
  steps?: readonly HousekeepingStep[];
  intervalMs?: number;
  /** How long a step may run in one round. The next round continues it. */
  stepLimitMs?: number;
}

interface Tally {
  rows: number;
  failures: number;
  /** Unix time in seconds; 0 before the first success. */
  lastSuccess: number;
}

export class Housekeeping {
  readonly #options: Required<HousekeepingOptions>;
  readonly #tallies: Map<string, Tally>;
  readonly #loop: IntervalLoop;
  #isStopping = false;

  constructor(options: HousekeepingOptions) {
    this.#options = { steps: housekeepingSteps, intervalMs: 600_000, stepLimitMs: 60_000, ...options };
    const { steps, intervalMs } = this.#options;
    this.#tallies = new Map(steps.map(({ name }) => [name, { rows: 0, failures: 0, lastSuccess: 0 }]));
    this.#loop = new IntervalLoop(intervalMs, () => this.clean());
  }

  start(): void {
    this.#loop.start();
  }

  /** Stops after the current statement. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#loop.stop();
  }

  /** Runs one round. Never rejects. */
  async clean(): Promise<void> {
    for (const step of this.#options.steps) await this.#run(step);
  }

  /** Metrics of each step. */
  get metricSources() {
    const read = (field: keyof Tally) => () => new Map([...this.#tallies].map(([name, tally]) => [name, tally[field]]));
    return [
      {
        name: 'skein_housekeeping_removed_rows_total',
        help: 'Rows that this process removed because they were too old.',
        kind: 'counter',
        label: 'step',
        read: read('rows'),
      },
      {
        name: 'skein_housekeeping_failures_total',
        help: 'Steps of housekeeping that failed on this process.',
        kind: 'counter',
        label: 'step',
        read: read('failures'),
      },
      {
        name: 'skein_housekeeping_last_success_timestamp_seconds',
        help: 'When the step last ended without a failure on this process, in seconds since 1970; 0 before that.',
        label: 'step',
        read: read('lastSuccess'),
      },
    ] satisfies MetricSource[];
  }

  async #run(step: HousekeepingStep): Promise<void> {
    const tally = this.#tallies.get(step.name);
    if (!tally) return;
    const end = performance.now() + this.#options.stepLimitMs;
    try {
      for (let removed = step.batch; removed > 0; ) {
        if (this.#isStopping || performance.now() > end) return;
        removed = await step.remove(this.#options.database, step.batch);
        tally.rows += removed;
      }
      tally.lastSuccess = Date.now() / 1000;
    } catch (error) {
      tally.failures += 1;
      this.#options.logger.warn(
        { err: error, step: step.name },
        'a housekeeping step failed; retrying in the next round',
      );
    }
  }
}
