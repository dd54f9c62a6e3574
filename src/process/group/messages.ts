/** What the primary process and the others of a group tell each other. */
import type { MetricSnapshot } from '../../routes/operator.js';

/** How a process takes part in the group. */
export interface Membership {
  /** From 1 to the number of processes. One that replaces another has the number of that. */
  number: number;
  /** The database, migrated. */
  url: string;
  directUrl: string;
  isPooled: boolean;
  /** Whether no other process uses the database yet. */
  startsAlone: boolean;
  /** Whether this process prints the first-run notice. */
  printsFirstRunNotice: boolean;
  /** Proves to the other processes that a request comes from this group. */
  key: string;
}

/** How the processes of a group end. */
export interface GroupEnd {
  /** How long new requests are still accepted. */
  drainMs: number;
  /** How long running responses may continue, from the same moment on. */
  graceMs: number;
}

export type ToMember =
  /** Answers `ready`. */
  | { kind: 'join'; membership: Membership }
  | { kind: 'end'; how: GroupEnd }
  /** The private ports of the processes that serve, by their numbers. */
  | { kind: 'ports'; ports: [number: number, port: number][] }
  /** Asks for the metrics of the process. */
  | { kind: 'measure'; id: number }
  /** Answers `gather`. */
  | { kind: 'gathered'; id: number; snapshots: MetricSnapshot[][] };

export type FromMember =
  /** The first message: before it, the process would lose what it is told. */
  | { kind: 'ready' }
  | { kind: 'serving'; url: string; privatePort: number }
  /** Answers `measure`. */
  | { kind: 'measured'; id: number; snapshots: MetricSnapshot[] }
  /** Asks for the metrics of all processes. */
  | { kind: 'gather'; id: number };

/** The exit status of a process that has logged why it could not start. */
export const explainedStatus = 70;
