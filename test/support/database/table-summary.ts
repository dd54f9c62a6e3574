/** What a database holds, so that a copy of it can be compared. */
import { runSql } from '../server.js';

const tablesSql = `SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`;

/** For each table its number of rows and a checksum of them, generated columns included. */
export async function summaryOf(url: string, leftOut: readonly string[] = []): Promise<Record<string, string>> {
  const tables = (await runSql(url, tablesSql)) as { name: string }[];
  const kept = tables.filter(({ name }) => !leftOut.includes(name));
  const counts = kept.map(
    ({
      name,
    }) => `SELECT '${name}' AS name, count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS rows
    FROM public."${name}" t`,
  );
  const rows = (await runSql(url, counts.join(' UNION ALL '))) as { name: string; rows: string }[];
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
}
