/**
 * A process of a group, seen from the primary one: started, started again where it ends without being told to, and
 * ended. Its successor has its number.
 */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { pause, withinMs } from '../../platform/async/time-limit.js';
import type { MetricSnapshot } from '../../routes/operator.js';
import { explainedStatus, type FromMember, type GroupEnd, type Membership, type ToMember } from './messages.js';
import { RestartPolicy } from './restart-policy.js';

/** Where a process serves. */
export interface Serving {
  url: string;
  privatePort: number;
}

export interface SupervisedProcessOptions {
  number: number;
  /** How the process takes part, decided anew at each start. */
  membershipOf: (number: number) => Membership;
  /** Called when it serves, and when it no longer does. */
  onChange: () => void;
  /** Called when the process wants the metrics of all. */
  onGather: () => Promise<MetricSnapshot[][]>;
  logger: Logger;
}

/** How a process ended. */
interface Ended {
  pid: number | undefined;
  status: number | null;
  signal: string | null;
  servedMs: number;
}

/** The service cannot start, or cannot go on, because of one of its processes. */
export class ProcessGroupError extends Error {
  constructor(
    message: string,
    /** Whether the process itself has logged the reason. */
    readonly isExplained = false,
  ) {
    super(message);
    this.name = 'ProcessGroupError';
  }
}

/** More than the two seconds that a process may take to ask the database. */
const measureLimitMs = 3_000;
/** How much later than its own limit a process that does not end is killed. */
const killDelayMs = 250;

export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions;
  readonly #policy = new RestartPolicy();
  readonly #ending = new AbortController();
  readonly #measuring = new Map<number, (snapshots: MetricSnapshot[]) => void>();
  readonly #firstServing = deferred<Serving>();
  #worker: Worker | undefined;
  #ended: Promise<Ended> | undefined;
  #hasJoined = false;
  #serving: Serving | null = null;
  #servingSinceMs = 0;
  #replacements = 0;
  #measured = 0;

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
  }

  get number(): number {
    return this.#options.number;
  }

  /** Null before the process serves, and after its end. */
  get serving(): Serving | null {
    return this.#serving;
  }

  /** How often the process was started again. */
  get replacements(): number {
    return this.#replacements;
  }

  /** Starts the process. */
  start(): void {
    this.#fork();
  }

  /** Resolves when the process serves for the first time, be it at the first start or at a later one. */
  get firstServing(): Promise<Serving> {
    return this.#firstServing.promise;
  }

  /** Resolves when the process serves; rejects with a `ProcessGroupError` if it ends before. */
  async servingAtOnce(): Promise<Serving> {
    const ended = this.#ended?.then(({ status, signal, pid }): never => {
      const how = `process ${this.number} (${pid}) ended with ${signal ?? `status ${status}`} before it served`;
      throw new ProcessGroupError(how, status === explainedStatus);
    });
    return Promise.race([this.firstServing, ...(ended ? [ended] : [])]);
  }

  /** Starts the process again whenever it ends. Rejects with a `ProcessGroupError` when it is given up. */
  async supervise(): Promise<void> {
    const { number } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const ended = await this.#ended;
      if (signal.aborted || !ended) return;
      const delayMs = this.#policy.afterEnd(ended.servedMs);
      if (delayMs === null) {
        throw new ProcessGroupError(`process ${number} ended soon after each of five starts; its lines above say why`);
      }
      this.#logEnd(ended, delayMs);
      await pause(delayMs, signal);
      if (signal.aborted) return;
      this.#replacements += 1;
      this.#fork();
    }
  }

  /** Somebody may end one process with SIGTERM, to have it replaced. */
  #logEnd({ pid, status, signal }: Ended, delayMs: number): void {
    const { logger, number } = this.#options;
    const how = { child: { number, pid, status, signal }, delayMs };
    if (status === 0) logger.warn(how, `process ${number} ended; starting another in its place`);
    else logger.error(how, `process ${number} ended unexpectedly; starting another in its place`);
  }

  send(message: ToMember): void {
    const { logger, number } = this.#options;
    this.#worker?.send(message, (error) => {
      // It has just ended, or is ending: its exit follows.
      if (error) logger.debug({ err: error }, `process ${number} did not hear "${message.kind}"`);
    });
  }

  /** The metrics of the process; null if it does not serve, or is too busy to answer. */
  async measure(): Promise<MetricSnapshot[] | null> {
    if (!this.#serving) return null;
    this.#measured += 1;
    const id = this.#measured;
    const measured = new Promise<MetricSnapshot[]>((resolve) => this.#measuring.set(id, resolve));
    this.send({ kind: 'measure', id });
    const snapshots = await withinMs(measureLimitMs, measured);
    this.#measuring.delete(id);
    return snapshots ?? null;
  }

  /** Ends the process. `limitMs` is its own limit for that. Returns whether it ended cleanly. */
  async end(how: GroupEnd, limitMs: number): Promise<boolean> {
    this.#ending.abort();
    const wasServing = this.#serving !== null;
    // A process that has not joined yet does not hear that, and has nothing to end.
    if (this.#hasJoined) this.send({ kind: 'end', how });
    else this.kill();
    const ended = await withinMs(limitMs + killDelayMs, this.#ended ?? Promise.resolve(null));
    if (ended === undefined) this.kill();
    await this.#ended;
    return ended !== undefined && (ended === null || ended.status === 0 || !wasServing);
  }

  kill(): void {
    this.#worker?.process.kill('SIGKILL');
  }

  #fork(): Worker {
    const worker = cluster.fork();
    this.#worker = worker;
    this.#hasJoined = false;
    worker.on('message', (message: FromMember) => this.#receive(message));
    // What Node itself sends fails in the same way, such as a connection to a process that has just ended.
    worker.on('error', (error) => this.#options.logger.debug({ err: error }, `process ${this.number} is out of reach`));
    this.#ended = once(worker, 'exit').then(([status, signal]) => {
      const servedMs = this.#serving ? performance.now() - this.#servingSinceMs : 0;
      this.#serving = null;
      this.#options.onChange();
      return { pid: worker.process.pid, status, signal, servedMs };
    });
    return worker;
  }

  #receive(message: FromMember): void {
    if (message.kind === 'ready') this.#welcome();
    else if (message.kind === 'measured') this.#measuring.get(message.id)?.(message.snapshots);
    else if (message.kind === 'gather') void this.#gather(message.id);
    else {
      this.#serving = message;
      this.#servingSinceMs = performance.now();
      this.#firstServing.resolve(message);
      this.#options.logger.info(
        { child: { number: this.number, pid: this.#worker?.process.pid } },
        `process ${this.number} is serving`,
      );
      this.#options.onChange();
    }
  }

  #welcome(): void {
    this.#hasJoined = true;
    this.send({ kind: 'join', membership: this.#options.membershipOf(this.number) });
  }

  async #gather(id: number): Promise<void> {
    this.send({ kind: 'gathered', id, snapshots: await this.#options.onGather() });
  }
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((found) => {
    resolve = found;
  });
  return { promise, resolve };
}
