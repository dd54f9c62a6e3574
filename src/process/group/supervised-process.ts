/**
 * A process of a group, seen from the primary one: it is started again, with its number, when it ends by itself. One that
 * has hung is killed, because its clients would wait for ever: only when its connections end do they turn to another process.
 */
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter, once } from 'node:events';
import type { Logger } from 'pino';
import { pause, withinMs } from '../../platform/async/time-limit.js';
import type { MetricSnapshot } from '../../routes/operator.js';
import { type FromMember, ProcessGroupError, signOfLifeMs, type ToMember } from './messages.js';
import { RestartPolicy } from './restart-policy.js';

/** More than the two seconds that a process may take to ask the database. */
const measureLimitMs = 3_000;

/** Looks in a row without a sign of life after which a process hangs. They are counted: a computer that slept has no time lost. */
const silentLooks = 6;

export class SupervisedProcess {
  /** Emits what the process tells, and `ended`. */
  readonly said = new EventEmitter();
  /** Null before the process serves, and after its end. */
  serving: (FromMember['serving'] & { sinceMs: number }) | null = null;
  replaced = 0;
  #worker: Worker | undefined;
  #looksInSilence = 0;
  #ended = Promise.resolve({ status: 0, signal: '', servedMs: 0 });

  constructor(
    readonly number: number,
    readonly logger: Logger,
  ) {
    this.said.on('serving', (serving: FromMember['serving']) => {
      this.serving = { ...serving, sinceMs: performance.now() };
      logger.info({ child: { number, pid: this.#worker?.process.pid } }, `process ${number} is serving`);
    });
  }

  /** Resolves to the address of the service when the process serves, and rejects if it ends before. */
  async start(): Promise<string> {
    this.#fork();
    const failed = this.#ended.then(({ status, signal }): never => {
      const error = new ProcessGroupError(`process ${this.number} ended with ${signal ?? status} before it served`);
      throw Object.assign(error, { isExplained: signal === null });
    });
    const [{ url }] = await Promise.race([once(this.said, 'serving'), failed]);
    return url;
  }

  /** Starts the process again whenever it ends. Rejects when it is given up. */
  async supervise(stopped: AbortSignal): Promise<void> {
    const { number, logger } = this;
    const policy = new RestartPolicy();
    const looks = setInterval(() => this.#look(), signOfLifeMs).unref();
    stopped.addEventListener('abort', () => clearInterval(looks));
    for (;;) {
      const { servedMs, ...how } = await this.#ended;
      if (stopped.aborted) return;
      const delayMs = policy.afterEnd(servedMs);
      const soon = `process ${number} ended soon after each of five starts; its lines above say why`;
      if (delayMs === null) throw new ProcessGroupError(soon);
      const details = { child: { number, pid: this.#worker?.process.pid, ...how }, delayMs };
      // Somebody may end one process with SIGTERM, to have it replaced.
      if (how.status === 0) logger.warn(details, `process ${number} ended; starting another in its place`);
      else logger.error(details, `process ${number} ended unexpectedly; starting another in its place`);
      await pause(delayMs, stopped);
      if (stopped.aborted) return;
      this.replaced += 1;
      this.#fork();
    }
  }

  tell<Kind extends keyof ToMember>(kind: Kind, content: ToMember[Kind]): void {
    // It may have just ended; its exit follows.
    this.#worker?.send({ kind, content }, (error) => error && this.#outOfReach(error));
  }

  /** The metrics of the process; none if it does not serve, or is too busy to answer in time. */
  async measure(): Promise<MetricSnapshot[]> {
    if (!this.serving) return [];
    this.tell('measure', null);
    const measured = once(this.said, 'measured', { signal: AbortSignal.timeout(measureLimitMs) });
    const [snapshots] = await measured.catch(() => [[]]);
    return snapshots;
  }

  /** Ends the process, at the latest after `limitMs`. Returns whether it ended cleanly. */
  async end(how: ToMember['end'], limitMs: number): Promise<boolean> {
    const hasServed = this.serving !== null;
    // Before that it may not listen, and has nothing to finish.
    if (hasServed) this.tell('end', how);
    else this.kill('SIGTERM');
    if (!(await withinMs(limitMs, this.#ended))) this.kill('SIGKILL');
    return (await this.#ended).status === 0 || !hasServed;
  }

  kill(signal: NodeJS.Signals): void {
    this.#worker?.process.kill(signal);
  }

  #fork(): void {
    const worker = cluster.fork();
    this.#worker = worker;
    worker.on('message', ({ kind, content }) => {
      this.#looksInSilence = 0;
      this.said.emit(kind, content);
    });
    // What Node itself sends fails in the same way, such as a connection to a process that has just ended.
    worker.on('error', (error) => this.#outOfReach(error));
    this.#ended = once(worker, 'exit').then(([status, signal]) => {
      const servedMs = this.serving ? performance.now() - this.serving.sinceMs : 0;
      this.serving = null;
      this.said.emit('ended');
      return { status, signal, servedMs };
    });
  }

  #look(): void {
    if (!this.serving) return;
    this.#looksInSilence += 1;
    if (this.#looksInSilence <= silentLooks) return;
    const { number } = this;
    this.logger.error({ child: { number, pid: this.#worker?.process.pid } }, `process ${number} hangs; ending it`);
    this.kill('SIGKILL');
  }

  #outOfReach(error: Error): void {
    this.logger.debug({ err: error }, `process ${this.number} is out of reach`);
  }
}
