/**
 * What a reader has seen is told by a snapshot of PostgreSQL: the transactions that had ended when it read. Numbers and times
 * are given to transactions before they commit, so a "greatest number seen" would lose whatever commits late.
 *
 * A snapshot is narrowed before a reader keeps it, because PostgreSQL may give a number a second time after a crash: that of a
 * transaction that left nothing on the disk, such as one that failed or wrote to unlogged tables alone. What it gave to the
 * newest change that could be seen is on the disk, and so are all before it.
 */

/** Transactions under way that a snapshot names: the cursors that hold it have a bounded length. */
const maximumPending = 300;

/**
 * The snapshot (in its text form, `xmin:xmax:` and what is under way) without the transactions after `newest`. It says the same
 * of every row that `newest` is the greatest number of. Where too many are under way it ends at the first of them, and what
 * committed after that comes twice.
 */
export function narrowSnapshot(snapshot: string, newest: bigint): string {
  const [, , underWay = ''] = snapshot.split(':');
  const end = newest + 1n;
  const pending = underWay.split(',').filter((xid) => xid !== '' && BigInt(xid) < end);
  if (pending.length > maximumPending) return `${pending[0]}:${pending[0]}:`;
  return `${pending[0] ?? end}:${end}:${pending.join(',')}`;
}

/** The number below which every transaction had ended. */
export function oldestUnderWay(snapshot: string): bigint {
  return BigInt(snapshot.slice(0, snapshot.indexOf(':')));
}
