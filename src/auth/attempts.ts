/**
 * Counts sign-in attempts for all nodes together, by the database's clock, so that guessing is slow everywhere. Keys
 * are stored as digests, so the table does not reveal who signs in from where.
 */
import { createHash } from 'node:crypto';
import type { PrismaClient } from '../../prisma/generated/client/client.js';

export interface Limit {
  /** Length of the window, in seconds. */
  window: number;
  max: number;
}

export interface Attempts {
  /** Attempts in this window. */
  count: number;
  /** Seconds until the window ends, at least 1. */
  seconds: number;
}

/**
 * Counts an attempt for the key. It is a single statement, so that concurrent attempts are all counted. A window never ends later
 * than one that begins now would, even if the clock was set back: nobody is locked out for longer.
 */
export async function countAttempt(database: PrismaClient, key: string, { window }: Limit): Promise<Attempts> {
  const [row] = await database.$queryRaw<Attempts[]>`
    INSERT INTO sign_in_attempts AS a (key, count, window_end)
    VALUES (${digestOf(key)}, 1, clock_timestamp() + make_interval(secs => ${window}))
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN a.window_end > clock_timestamp() THEN a.count + 1 ELSE 1 END,
      window_end = CASE WHEN a.window_end > clock_timestamp() THEN least(a.window_end, EXCLUDED.window_end)
        ELSE EXCLUDED.window_end END
    RETURNING count, ceil(extract(epoch FROM window_end - clock_timestamp()))::int AS seconds`;
  if (!row) throw new Error('The count of attempts returned no row.');
  // The column rounds to milliseconds, and may round up.
  return { count: row.count, seconds: Math.min(window, Math.max(1, row.seconds)) };
}

/** Remembers the key for a number of seconds. */
export async function remember(database: PrismaClient, key: string, seconds: number): Promise<void> {
  await database.$executeRaw`
    INSERT INTO sign_in_attempts (key, count, window_end)
    VALUES (${digestOf(key)}, 0, clock_timestamp() + make_interval(secs => ${seconds}))
    ON CONFLICT (key) DO UPDATE SET window_end = EXCLUDED.window_end`;
}

/** Whether the key is remembered. */
export async function isRemembered(database: PrismaClient, key: string): Promise<boolean> {
  const rows = await database.$queryRaw<unknown[]>`
    SELECT FROM sign_in_attempts WHERE key = ${digestOf(key)} AND window_end > clock_timestamp()`;
  return rows.length > 0;
}

/** Resets the count of the key. */
export async function forgetAttempts(database: PrismaClient, key: string): Promise<void> {
  await database.$executeRaw`DELETE FROM sign_in_attempts WHERE key = ${digestOf(key)}`;
}

function digestOf(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(key).digest());
}
