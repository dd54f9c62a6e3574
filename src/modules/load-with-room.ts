import type { AnswerLimits } from '../builder.js';

/** A row whose text PostgreSQL measures before it is loaded. */
interface SizedRow {
  bytes: number;
}

/**
 * Reads rows of which none is loaded if all together exceed what may be loaded now: then it waits for room, and reads them
 * again. Throws `LIMIT_EXCEEDED` if they are too much for one response, or there is no room in time.
 */
export async function loadWithRoom<Row extends SizedRow>(
  answer: AnswerLimits,
  { read, isLeft }: { read: () => Promise<Row[]>; isLeft: (row: Row) => boolean },
): Promise<Row[]> {
  let rows = await read();
  if (rows.some(isLeft)) {
    await answer.makeRoomFor(bytesOf(rows));
    rows = await read();
  }
  // Counted even if they have grown meanwhile and were not loaded.
  answer.load(bytesOf(rows));
  return rows;
}

function bytesOf(rows: readonly SizedRow[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}
