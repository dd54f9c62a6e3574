/**
 * Which tables a backup holds. A table that a migration adds must be named here, in one list or the other: a test compares
 * them with the database.
 */

/** The tables of a backup, in the order in which they are written. */
export const keptTables: readonly string[] = [
  'service_secret',
  'organization',
  'user_account',
  'access_token',
  'session',
  'account',
  'sign_in_link',
  'thread',
  'message',
  'message_reasoning',
  'response',
  'feedback',
  'attachment',
  'thread_position',
  'list_position',
  'read_position',
  'thread_pin',
  'idempotency_key',
  'thread_event',
  'audit_event',
  'usage_day',
  'token_usage_day',
  'budget',
];

/** The tables that a backup leaves out, and why nothing is lost with them. */
export const leftOutTables: Readonly<Record<string, string>> = {
  _prisma_migrations: 'The header of a backup names the migrations, and restoring applies them.',
  token_chunk: 'Unlogged: the text of running responses, which start over. The stored message is the truth.',
  ended_session: 'Why browsers were signed out: restoring ends no session, and what has ended is only not explained.',
  deleted_thread: 'For feeds that resume: after restoring, which begins another history, they start over.',
  rate_count: 'Unlogged: counts of windows that are over when a backup is restored.',
  search_rebuild: 'How far old search vectors were made again: after restoring, that begins anew.',
  sign_in_attempts: 'Counts of windows that are over when a backup is restored.',
};
