/** What the database says about Skein's tables. */
import type { Client } from 'pg';
import { rowsOf } from './session.js';
import { keptTables } from './tables.js';

export interface Table {
  name: string;
  /** Without the generated ones. */
  columns: string[];
}

/** The tables of a backup that this database has, in the order of `keptTables`. */
export async function readTables(client: Client): Promise<Table[]> {
  const tables = await rowsOf<Table>(
    client,
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname = ANY($1)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname`,
    [keptTables],
  );
  return tables.toSorted((one, other) => keptTables.indexOf(one.name) - keptTables.indexOf(other.name));
}

/** The sequences that belong to columns of these tables. */
export async function readSequenceNames(client: Client, tables: readonly Table[]): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    client,
    `SELECT s.relname AS name FROM pg_class s
       JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
       JOIN pg_class t ON t.oid = d.refobjid AND d.refclassid = 'pg_class'::regclass
     WHERE s.relkind = 'S' AND t.relnamespace = 'public'::regnamespace AND t.relname = ANY($1) ORDER BY 1`,
    [tables.map(({ name }) => name)],
  );
  return rows.map(({ name }) => name);
}

/** The table and its columns, as COPY and others want them. */
export function target({ name, columns }: Table): string {
  return `public."${name}" (${columns.map((column) => `"${column}"`).join(', ')})`;
}
