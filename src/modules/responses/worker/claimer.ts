import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Claimer, ServedTurns } from '../protocol/claim.js';

/** Creates the identity of a worker, with a name that no other process has. */
export function createClaimer({ lease, shares }: Required<Pick<Claimer, 'lease' | 'shares'>>): Claimer {
  const id = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  return { id, lease, shares, served: new ServedTurns() };
}
