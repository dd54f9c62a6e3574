/**
 * Whether this process should get requests: the database responds and takes writes, the worker looks for work, and
 * the service is not ending. A process of a group that ends alone stays ready, because the others serve behind the same port.
 */
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { WriteAccess } from '../database/write-access.js';
import type { Worker } from '../modules/responses/worker/worker.js';
import { createReachability } from './reachability.js';

export interface ReadinessOptions {
  database: PrismaClient;
  writes: WriteAccess;
  /** The group of this process; undefined: it is the only one behind its port. */
  group: { readonly isGroupEnding: boolean } | undefined;
}

export class Readiness {
  readonly #group: ReadinessOptions['group'];
  readonly #isReachable: () => Promise<boolean>;
  #isLeaving = false;

  constructor({ database, writes, group }: ReadinessOptions) {
    this.#group = group;
    this.#isReachable = createReachability(database, writes);
  }

  /** Tells that this process ends. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** `worker` is null if this process has none. */
  async isReady(worker: Pick<Worker, 'isAlive'> | null): Promise<boolean> {
    if (this.#group?.isGroupEnding ?? this.#isLeaving) return false;
    if (this.#group && this.#isLeaving) return this.#isReachable();
    return (await this.#isReachable()) && (worker?.isAlive ?? true);
  }
}
