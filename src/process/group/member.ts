/**
 * A process of a group, seen from within: it serves like a process of its own, with the database that the primary
 * process opened. When that is lost, Node ends this one at once, so that nothing outlives a killed service.
 */
import cluster from 'node:cluster';
import { EventEmitter, once } from 'node:events';
import type { Logger } from 'pino';
import type { SharedPort } from '../../platform/server/stream-forwarding.js';
import type { MetricSnapshot, MetricSource, SiblingMetrics } from '../../routes/operator.js';
import { type FromMember, type Membership, signOfLifeMs, type ToMember } from './messages.js';

/** Asks the primary process which process this is. */
export async function joinGroup(createLogger: (number: number) => Logger): Promise<Member> {
  const told = new EventEmitter();
  process.on('message', ({ kind, content }: { kind: string; content: unknown }) => told.emit(kind, content));
  tell('ready', null);
  const [membership] = await once(told, 'join');
  return new Member(membership, told, createLogger(membership.number));
}

export class Member implements SiblingMetrics, SharedPort {
  readonly number: number;
  ports: SharedPort['ports'] = new Map();
  /** Whether the whole group ends. A process that ends alone is replaced, and the others serve meanwhile. */
  isGroupEnding = false;
  /** Resolves when the primary process wants this one to end. */
  readonly ending: Promise<ToMember['end']>;
  readonly metricSources: MetricSource[];
  readonly #told: EventEmitter;

  constructor(
    readonly membership: Membership,
    told: EventEmitter,
    readonly logger: Logger,
  ) {
    const { number, replaced } = membership;
    this.number = number;
    const help = 'Processes that ended and were started again.';
    this.metricSources = [{ name: 'skein_processes_replaced_total', help, kind: 'counter', read: () => replaced }];
    setInterval(() => tell('alive', null), signOfLifeMs).unref();
    cluster.worker?.once('disconnect', () => logger.fatal('the primary process is gone; ending'));
    this.ending = once(told, 'end').then(([how]) => how);
    this.#told = told
      .on('end', () => (this.isGroupEnding = true))
      .on('ports', (ports: ToMember['ports']) => (this.ports = new Map(ports)));
  }

  provide(read: () => Promise<MetricSnapshot[]>): void {
    const failed = (err: unknown) => this.logger.error({ err }, 'the metrics of this process could not be read');
    this.#told.on('measure', () => void read().then((snapshots) => tell('measured', snapshots), failed));
  }

  async gather(): Promise<MetricSnapshot[][]> {
    tell('gather', null);
    // Answers are alike: the next one is as good for all who wait.
    const [snapshots] = await once(this.#told, 'gathered');
    return snapshots;
  }
}

/** Tells the primary process something. If it is gone, that ends this process, so a failure needs no handling. */
export function tell<Kind extends keyof FromMember>(kind: Kind, content: FromMember[Kind]): void {
  process.send?.({ kind, content }, undefined, undefined, () => undefined);
}
