/**
 * Records what a reader has seen as a PostgreSQL snapshot: the transactions that had ended when it read. Transaction
 * ids and times are assigned before the commit, so a "highest id seen" would lose transactions that commit late.
 * Snapshots are narrowed before they are kept, because PostgreSQL may assign an id again after a crash if its
 * transaction left nothing on disk. The id of the newest visible change is on disk, and so are all before it.
 */

/** Maximum number of transactions in progress within a snapshot, which limits the length of cursors. */
const maximumPending = 300;

/**
 * The snapshot (as text, `xmin:xmax:` and transactions in progress) without transactions after `newest`. It is
 * equivalent for all rows up to `newest`. With too many transactions in progress it ends at the first of them, and what
 * committed after that is delivered twice.
 */
export function narrowSnapshot(snapshot: string, newest: bigint): string {
  const [, , underWay = ''] = snapshot.split(':');
  const end = newest + 1n;
  const pending = underWay.split(',').filter((xid) => xid !== '' && BigInt(xid) < end);
  if (pending.length > maximumPending) return `${pending[0]}:${pending[0]}:`;
  return `${pending[0] ?? end}:${end}:${pending.join(',')}`;
}

/** The id below which every transaction had ended. */
export function oldestUnderWay(snapshot: string): bigint {
  return BigInt(snapshot.slice(0, snapshot.indexOf(':')));
}
