/**
 * A process of a group, seen from within: it serves like a process of its own, with the database that the primary
 * process opened, and ends when the primary tells it to. When the primary is lost, Node ends it at once, so that nothing
 * outlives a killed service.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { SharedPort } from '../../platform/server/stream-forwarding.js';
import type { MetricSnapshot, SiblingMetrics } from '../../routes/operator.js';
import type { FromMember, GroupEnd, Membership, ToMember } from './messages.js';

export class Member implements SiblingMetrics, SharedPort {
  readonly membership: Membership;
  readonly #logger: Logger;
  #ports: ReadonlyMap<number, number> = new Map();
  #end: GroupEnd | undefined;
  #onEnd: ((end: GroupEnd) => void) | undefined;
  #readMetrics: () => Promise<MetricSnapshot[]> = async () => [];
  readonly #gathering = new Map<number, (snapshots: MetricSnapshot[][]) => void>();
  #gathered = 0;

  constructor(membership: Membership, logger: Logger) {
    this.membership = membership;
    this.#logger = logger;
    process.on('message', (message: ToMember) => this.#receive(message));
    cluster.worker?.once('disconnect', () => logger.fatal('the primary process is gone; ending'));
  }

  get number(): number {
    return this.membership.number;
  }

  get key(): string {
    return this.membership.key;
  }

  /** The private ports of the processes that serve, by their numbers. */
  get ports(): ReadonlyMap<number, number> {
    return this.#ports;
  }

  /** Tells the primary process that this one serves. */
  serving(url: string, privatePort: number): void {
    send({ kind: 'serving', url, privatePort });
  }

  /** Calls `end` when the primary process wants this one to end, even if that was before this call. */
  onEnd(end: (how: GroupEnd) => void): void {
    this.#onEnd = end;
    if (this.#end) end(this.#end);
  }

  /** Whether the whole group ends. A process that ends alone is replaced, and the others serve meanwhile. */
  get isGroupEnding(): boolean {
    return this.#end !== undefined;
  }

  provide(read: () => Promise<MetricSnapshot[]>): void {
    this.#readMetrics = read;
  }

  gather(): Promise<MetricSnapshot[][]> {
    this.#gathered += 1;
    const id = this.#gathered;
    const gathered = new Promise<MetricSnapshot[][]>((resolve) => this.#gathering.set(id, resolve));
    send({ kind: 'gather', id });
    return gathered;
  }

  #receive(message: ToMember): void {
    if (message.kind === 'ports') this.#ports = new Map(message.ports);
    else if (message.kind === 'measure') this.#measure(message.id);
    else if (message.kind === 'gathered') {
      this.#gathering.get(message.id)?.(message.snapshots);
      this.#gathering.delete(message.id);
    } else if (message.kind === 'end') {
      this.#end = message.how;
      this.#onEnd?.(message.how);
    }
  }

  #measure(id: number): void {
    this.#readMetrics().then(
      (snapshots) => send({ kind: 'measured', id, snapshots }),
      (error: unknown) => this.#logger.error({ err: error }, 'the metrics of this process could not be read'),
    );
  }
}

/** Asks the primary process which process this is. */
export async function askMembership(): Promise<Membership> {
  send({ kind: 'ready' });
  const [message] = (await once(process, 'message')) as [ToMember];
  if (message.kind !== 'join') throw new Error(`The first message of the primary process was "${message.kind}".`);
  return message.membership;
}

function send(message: FromMember): void {
  // A failure needs no handling: the primary process is gone then, which ends this one.
  process.send?.(message, undefined, undefined, () => undefined);
}
