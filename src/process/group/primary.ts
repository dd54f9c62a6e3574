/**
 * The primary process of a group: it owns the database, applies the migrations, and keeps the processes running that
 * serve. It serves nothing itself: Node accepts the connections here, and passes them to the processes in turns.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { migrate } from '../../database/migrations/migrate.js';
import type { MetricSnapshot } from '../../routes/operator.js';
import { type DatabaseAddress, openDatabase } from '../open-database.js';
import { cleanupOnFailure, type ShutdownStack } from '../shutdown-stack.js';
import type { GroupEnd, Membership } from './messages.js';
import { ProcessGroupError, SupervisedProcess } from './supervised-process.js';

export interface GroupOptions {
  config: Config;
  logger: Logger;
  /** Time that a process takes to end, in addition to the grace period of running responses. */
  shutdownTimeoutMs: number;
}

export interface RunningGroup {
  url: string;
  /** Stops all processes as `RunningService.stop` does, then the database. */
  stop(graceMs: number, drainMs?: number): Promise<void>;
  /** The part that `stop` is waiting for. */
  readonly ending: string | null;
  /** Rejects with a `ProcessGroupError` if a process is given up. */
  readonly supervised: Promise<void>;
  /** Ends all processes at once. */
  kill(): void;
}

/** Starts the processes. The first one starts alone, so that what prevents every start is reported once. */
export function startGroup(options: GroupOptions): Promise<RunningGroup> {
  return cleanupOnFailure(options.logger, (shutdown) => start(options, shutdown));
}

async function start(options: GroupOptions, shutdown: ShutdownStack): Promise<RunningGroup> {
  const { config, logger } = options;
  const address = await openDatabase(config, logger);
  shutdown.add('the database', address.close);
  await migrate({ url: address.directUrl, isDirect: address.isPooled, logger });
  const group = new ProcessGroup(options, address);
  shutdown.add('the processes', () => group.end({ drainMs: 0, graceMs: 0 }));
  const { url } = await group.start();
  return {
    url,
    stop: (graceMs, drainMs = 0) => {
      // The stack, which ends the processes first, waits for the end that begins here.
      void group.end({ drainMs, graceMs });
      return shutdown.end();
    },
    get ending() {
      return shutdown.ending;
    },
    supervised: group.supervised,
    kill: () => group.kill(),
  };
}

class ProcessGroup {
  readonly #options: GroupOptions;
  readonly #address: DatabaseAddress;
  readonly #key = randomBytes(32).toString('hex');
  readonly #processes: SupervisedProcess[];
  #hasStarted = false;
  #supervised: Promise<unknown> = Promise.resolve();
  #ended: Promise<void> | undefined;

  constructor(options: GroupOptions, address: DatabaseAddress) {
    this.#options = options;
    this.#address = address;
    this.#processes = Array.from({ length: options.config.processes }, (_, index) => this.#processOf(index + 1));
  }

  async start(): Promise<{ url: string }> {
    const [first, ...others] = this.#processes;
    if (!first) throw new ProcessGroupError('the group has no process');
    first.start();
    const { url } = await first.servingAtOnce();
    this.#hasStarted = true;
    for (const process of others) process.start();
    this.#supervised = Promise.all(this.#processes.map((process) => process.supervise()));
    await Promise.race([this.#supervised, Promise.all(others.map(({ firstServing }) => firstServing))]);
    return { url };
  }

  get supervised(): Promise<void> {
    return this.#supervised.then(() => undefined);
  }

  /** Ends all processes at the same time. Throws if one did not end cleanly. */
  end(how: GroupEnd): Promise<void> {
    this.#ended ??= this.#end(how);
    return this.#ended;
  }

  kill(): void {
    for (const process of this.#processes) process.kill();
  }

  #processOf(number: number): SupervisedProcess {
    const { logger } = this.#options;
    const membershipOf = () => this.#membershipOf(number);
    const onChange = () => this.#tellPorts();
    return new SupervisedProcess({ number, membershipOf, onChange, onGather: () => this.#gather(), logger });
  }

  #membershipOf(number: number): Membership {
    const { url, directUrl, isPooled, exclusive } = this.#address;
    const isFirst = !this.#hasStarted;
    const startsAlone = isFirst && exclusive;
    return { number, url, directUrl, isPooled, startsAlone, printsFirstRunNotice: isFirst, key: this.#key };
  }

  #tellPorts(): void {
    const ports = this.#processes.flatMap(({ number, serving }): [number, number][] =>
      serving ? [[number, serving.privatePort]] : [],
    );
    for (const process of this.#processes) process.send({ kind: 'ports', ports });
  }

  async #gather(): Promise<MetricSnapshot[][]> {
    const measured = await Promise.all(this.#processes.map((process) => process.measure()));
    return [[this.#replacements], ...measured.filter((snapshots) => snapshots !== null)];
  }

  get #replacements(): MetricSnapshot {
    const value = this.#processes.reduce((sum, { replacements }) => sum + replacements, 0);
    // The types of prom-client say that the kind of a metric is a number; it is its name.
    return {
      name: 'skein_processes_replaced_total',
      help: 'Processes that ended and were started again.',
      type: 'counter',
      aggregator: 'sum',
      values: [{ value, labels: {} }],
    } as unknown as MetricSnapshot;
  }

  async #end(how: GroupEnd): Promise<void> {
    const limitMs = how.graceMs + this.#options.shutdownTimeoutMs;
    const clean = await Promise.all(this.#processes.map((process) => process.end(how, limitMs)));
    const unclean = this.#processes.filter((_, index) => !clean[index]).map(({ number }) => number);
    if (unclean.length > 0) throw new ProcessGroupError(`these processes did not end cleanly: ${unclean.join(', ')}`);
  }
}
