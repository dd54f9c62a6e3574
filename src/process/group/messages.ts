/** What the primary process and the others of a group tell each other. */
import type { MetricSnapshot } from '../../routes/operator.js';
import type { DatabaseAddress } from '../open-database.js';

export const signOfLifeMs = 10_000;

/** How a process takes part in the group. */
export interface Membership {
  /** From 1 to the number of processes. One that replaces another has the number of that. */
  number: number;
  /** How many processes had the number before. */
  replaced: number;
  /** The database, migrated. The primary process closes it. */
  database: Omit<DatabaseAddress, 'close'>;
  printsFirstRunNotice: boolean;
}

export interface ToMember {
  join: Membership;
  /** How long new requests are still accepted, and running responses may continue, both from now on. */
  end: { drainMs: number; graceMs: number };
  /** The private ports of the processes that serve, by their numbers. */
  ports: (readonly [number: number, port: number])[];
  measure: null;
  /** Answers `gather`. */
  gathered: MetricSnapshot[][];
}

export interface FromMember {
  /** The first message, answered with `join`: what a process is told before it listens is lost. */
  ready: null;
  serving: { url: string; privatePort: number };
  /** Sent every `signOfLifeMs`, by the event loop that serves. */
  alive: null;
  /** Answers `measure`. */
  measured: MetricSnapshot[];
  /** Asks for the metrics of all processes. */
  gather: null;
}

/** The service cannot start, or cannot go on, because of one of its processes, which has said why if it could. */
export class ProcessGroupError extends Error {
  override readonly name = 'ProcessGroupError';
  isExplained = false;
}
