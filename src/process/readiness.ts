/**
 * Whether this process should get requests: the database responds and takes writes, the worker looks for work, and
 * the service is not ending. A process of a group that ends alone stays ready, because the others serve behind the same port.
 */
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { WriteAccess } from '../database/write-access.js';
import type { Worker } from '../modules/responses/worker/worker.js';
import { sharedWithinMs } from '../platform/async/time-limit.js';

/** A frozen server or a dead network never fails, while readiness must be answered quickly: a late response is a failure. */
const limitMs = 1_500;

export interface ReadinessOptions {
  database: PrismaClient;
  writes: WriteAccess;
  /** The group of this process; undefined: it is the only one behind its port. */
  group: { readonly isGroupEnding: boolean } | undefined;
}

export class Readiness {
  readonly #group: ReadinessOptions['group'];
  readonly #isReachable: () => Promise<boolean | undefined>;
  #isLeaving = false;

  constructor({ database, writes, group }: ReadinessOptions) {
    this.#group = group;
    // A database that refuses writes does not count as reachable until something can be written.
    const ask = () => (writes.isRefused ? writes.tryToWrite(database) : database.$queryRaw`SELECT 1`);
    this.#isReachable = sharedWithinMs(limitMs, () =>
      ask().then(
        () => true,
        () => false,
      ),
    );
  }

  /** Tells that this process ends. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** `worker` is null if this process has none. */
  async isReady(worker: Pick<Worker, 'isAlive'> | null): Promise<boolean> {
    if (this.#group?.isGroupEnding ?? this.#isLeaving) return false;
    if (!(await this.#isReachable())) return false;
    return (this.#group && this.#isLeaving) || (worker?.isAlive ?? true);
  }
}
