/** What housekeeping removes, and after how long. An index on the column that orders the rows finds those that expired. */
import { Prisma, type PrismaClient } from '../../prisma/generated/client/client.js';
import { deleteExpiredThreads } from '../modules/deletion/retention.js';
import { auditRetentionDays } from '../modules/identity/audit/audit-log.js';
import { keptHours } from '../modules/messages/sending/idempotency.js';

/** Removes some expired rows, at most `most`, and returns their number: 0 if there are none. */
type Remove = (database: PrismaClient, most: number) => Promise<number>;

export interface HousekeepingStep {
  name: string;
  /** Rows per statement. */
  batch: number;
  remove: Remove;
}

/** Small rows. */
const batch = 5_000;

export const housekeepingSteps: readonly HousekeepingStep[] = [
  {
    name: 'idempotency_keys',
    batch,
    remove: expired('idempotency_key', 'created_at', `created_at < now() - interval '${keptHours} hours'`),
  },
  // By when threads left them, however old they were then. Paging that began earlier skips what has moved since.
  {
    name: 'thread_positions',
    batch,
    remove: expired('thread_position', 'written_at', `written_at < now() - interval '30 days'`),
  },
  // Announced and not sent. Each row has up to 10 MiB.
  {
    name: 'attachments',
    batch: 20,
    remove: expired('attachment', 'created_at', `message_id IS NULL AND created_at < now() - interval '24 hours'`),
  },
  { name: 'sign_in_attempts', batch, remove: expired('sign_in_attempts', 'window_end', 'window_end < now()') },
  { name: 'sessions', batch, remove: expired('session', 'expires_at', 'expires_at < now()') },
  // Their cookies have expired since.
  {
    name: 'ended_sessions',
    batch,
    remove: expired('ended_session', 'ended_at', `ended_at < now() - interval '30 days'`),
  },
  // Text in transit that nobody will read: its response ended, or its worker died.
  {
    name: 'token_chunks',
    batch: 2_000,
    remove: expired('token_chunk', 'created_at', `created_at < now() - interval '1 hour'`),
  },
  {
    name: 'audit_events',
    batch,
    remove: expired('audit_event', 'at', `at < now() - interval '${auditRetentionDays} days'`),
  },
  // Each goes with all of its messages and attachments.
  { name: 'expired_threads', batch: 100, remove: deleteExpiredThreads },
  // Too old for any budget.
  {
    name: 'token_usage',
    batch,
    remove: expired('token_usage_day', 'day', `day < (now() AT TIME ZONE 'UTC')::date - 62`),
  },
  {
    name: 'rate_counts',
    batch,
    remove: expired('rate_count', 'expire', 'expire < (extract(epoch FROM now()) * 1000)::bigint'),
  },
];

function expired(tableName: string, column: string, condition: string): Remove {
  const [table, order, isExpired] = [tableName, column, condition].map((sql) => Prisma.raw(sql));
  return (database, most) => database.$executeRaw`
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${isExpired} ORDER BY ${order} LIMIT ${most}::int FOR UPDATE SKIP LOCKED))`;
}
