/**
 * What a change of the schema takes from a program that was written for the schema before: something that it reads or writes is
 * gone or other than it was, or a row that it adds lacks what is now required.
 */
import type pg from 'pg';

interface Column {
  table: string;
  name: string;
  type: string;
  isRequired: boolean;
  /** What a program that does not know the column leaves in it. */
  isNullByDefault: boolean;
}

interface Constraint {
  table: string;
  name: string;
  columns: string[];
  /** Of a unique index: any number of rows may have null in one of its columns. */
  ignoresNull: boolean;
}

/** Everything that a program can rely on, by a name that says what it is, with what must stay as it is. */
export interface Catalog {
  columns: Map<string, Column>;
  constraints: Map<string, Constraint>;
  /** Values of enums, and functions with their parameters and results. */
  rest: Set<string>;
}

const columnsQuery = `
  SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS "isRequired",
    NOT a.attnotnull AND NOT a.atthasdef AS "isNullByDefault"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`;

const constraintsQuery = `
  SELECT c.relname AS table, x.name, x.ignores_null AS "ignoresNull", array(
    SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (x.columns) ORDER BY 1) AS columns
  FROM (
    SELECT conrelid AS id, conname AS name, conkey AS columns, false AS ignores_null FROM pg_constraint WHERE contype IN ('c', 'f', 'x')
    UNION ALL
    SELECT indrelid, indexrelid::regclass::text, indkey::int2[], NOT indnullsnotdistinct FROM pg_index WHERE indisunique) x
  JOIN pg_class c ON c.oid = x.id
  WHERE c.relnamespace = 'public'::regnamespace`;

const restQuery = `
  SELECT format('the value %s of %s', e.enumlabel, t.typname) AS name
  FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid WHERE t.typnamespace = 'public'::regnamespace
  UNION ALL
  SELECT format('the function %s(%s) that returns %s', p.proname, pg_get_function_identity_arguments(p.oid), pg_get_function_result(p.oid))
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace`;

export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const read = async <Row extends pg.QueryResultRow>(query: string) => (await client.query<Row>(query)).rows;
  const columns = await read<Column>(columnsQuery);
  const constraints = await read<Constraint>(constraintsQuery);
  const rest = await read<{ name: string }>(restQuery);
  return {
    columns: new Map(columns.map((column) => [`${column.table}.${column.name}`, column])),
    constraints: new Map(constraints.map((constraint) => [constraint.name, constraint])),
    rest: new Set(rest.map(({ name }) => name)),
  };
}

/** What a program for the catalog `before` would miss or stumble over in `after`. */
export function contractions(before: Catalog, after: Catalog): string[] {
  const tables = new Set([...before.columns.values()].map(({ table }) => table));
  const changed = [...before.columns].flatMap(([name, old]) => {
    const column = after.columns.get(name);
    if (!column) return [`${name} is gone`];
    if (column.type !== old.type) return [`${name} was ${old.type} and is ${column.type}`];
    return column.isRequired && !old.isRequired ? [`${name} is required`] : [];
  });
  const added = [...after.columns].flatMap(([name, { table, isRequired }]) =>
    isRequired && tables.has(table) && !before.columns.has(name) ? [`${name} is new and required`] : [],
  );
  const tightened = [...after.constraints].flatMap(([name, { table, columns, ignoresNull }]) => {
    const fresh = columns.filter((column) => !before.columns.has(`${table}.${column}`));
    const concernsOld = columns.length === 0 || fresh.length < columns.length;
    const isMet = ignoresNull && fresh.some((column) => after.columns.get(`${table}.${column}`)?.isNullByDefault);
    const isNew = !before.constraints.has(name) && tables.has(table);
    return isNew && concernsOld && !isMet ? [`${name} restricts ${table}`] : [];
  });
  const gone = [...before.rest].flatMap((name) => (after.rest.has(name) ? [] : [`${name} is gone`]));
  const unknown = [...after.rest].flatMap((name) => {
    const enumName = /^the value .+ of (.+)$/.exec(name)?.[1];
    const isOld = enumName && [...before.rest].some((old) => old.endsWith(` of ${enumName}`));
    return isOld && !before.rest.has(name) ? [`${name} is new`] : [];
  });
  return [...changed, ...added, ...tightened, ...gone, ...unknown];
}
