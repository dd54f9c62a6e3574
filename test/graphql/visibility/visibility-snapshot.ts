import type { PrismaClient } from '../../../prisma/generated/client/client.js';

/** What no mutation is needed to change: the use of a token, remembered pages, and how many requests there were. */
const ignored = ['list_position', 'rate_count', '_prisma_migrations'];

/** Every row of every table as text, without when a token was last used. */
export async function readEverything(database: PrismaClient): Promise<Record<string, string[]>> {
  const tables = await database.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1`;
  const names = tables.map(({ name }) => name).filter((name) => !ignored.includes(name));
  const parts = names.map((name) => `SELECT '${name}' AS name, to_jsonb(t) - 'last_used_at' AS row FROM "${name}" t`);
  const rows = await database.$queryRawUnsafe<{ name: string; row: string }[]>(
    `SELECT name, row::text FROM (${parts.join(' UNION ALL ')}) AS rows ORDER BY 1, 2`,
  );
  return Object.fromEntries(names.map((name) => [name, rows.filter((row) => row.name === name).map(({ row }) => row)]));
}
