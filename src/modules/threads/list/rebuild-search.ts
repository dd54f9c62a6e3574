/**
 * Makes the search vectors of old rows again, after a migration changed how texts are folded, or what of a row is searched. Until
 * then a search finds a row by the folding that its vector has (`search_query` in the migrations), so nobody waits for this. Batches
 * are small, and pass over rows that somebody is changing, so that nobody waits for one of them either.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';

/** The columns whose assignment makes PostgreSQL find the vector again. */
const sources = { thread: Prisma.sql`name`, message: Prisma.sql`contents` };
/** Whether a vector is to be made again. That of a thread is short enough to be compared. */
const isOld = {
  thread: Prisma.sql`search IS DISTINCT FROM search_vector(coalesce(name, generated_name))`,
  message: Prisma.sql`NOT search @@ '''Folded'''`,
};
type Table = keyof typeof sources;

export interface Rebuild {
  table: Table;
  /** Rows that were reached so far, and about how many there are. */
  rows: number;
  of: number;
  isFinished: boolean;
  /** Whether all that is left are rows that somebody is changing. */
  isWaiting: boolean;
}

export interface BatchLimits {
  rows: number;
  /** Of the texts, as they are stored. A batch has a row more, however long it is. */
  bytes: number;
}

/** Some 300 ms on a busy machine; a row of them can be changed by nobody else meanwhile. */
const usualBatch: BatchLimits = { rows: 200, bytes: 250_000 };

/** Makes some vectors again. Returns how far that is; 'finished' where nothing is left, 'busy' while another process does it. */
export function rebuildSome(database: PrismaClient, limits = usualBatch): Promise<Rebuild | 'finished' | 'busy'> {
  return database.$transaction(async (transaction) => {
    const state = await takeState(transaction);
    if (state === 'finished' || state === 'busy') return state;
    await transaction.$queryRaw`SELECT set_config('skein.rebuilds_search', 'on', true)`;
    const { table, position, leftOver, rows, isAtEnd } = await nextState(transaction, state, limits);
    const isFinished = isAtEnd && leftOver.length === 0;
    await transaction.searchRebuild.update({
      where: { tableName: table },
      data: isFinished ? { position: null, finishedAt: new Date(), leftOver, rows } : { position, leftOver, rows },
    });
    const of = Math.max(rows, await rowsOf(transaction, table));
    return { table, rows, of, isFinished, isWaiting: isAtEnd && !isFinished };
  });
}

interface State {
  table: Table;
  position: string | null;
  leftOver: string[];
  rows: number;
}

/** Where a table stands that is not finished, and that no other process works on. The first call makes the rows for this. */
async function takeState(transaction: Prisma.TransactionClient): Promise<State | 'finished' | 'busy'> {
  const [state] = await transaction.$queryRaw<State[]>`
    SELECT table_name AS "table", position, left_over AS "leftOver", rows FROM search_rebuild WHERE finished_at IS NULL
    ORDER BY table_name DESC LIMIT 1 FOR UPDATE SKIP LOCKED`;
  if (state) return state;
  const data = Object.keys(sources).map((tableName) => ({ tableName }));
  const tables = await transaction.searchRebuild.findMany({ select: { finishedAt: true } });
  if (tables.length === data.length) return tables.every(({ finishedAt }) => finishedAt) ? 'finished' : 'busy';
  await transaction.searchRebuild.createMany({ data, skipDuplicates: true });
  return takeState(transaction);
}

/** Goes on by a batch or, when all rows were reached, with those that were left over. */
async function nextState(
  transaction: Prisma.TransactionClient,
  state: State,
  limits: BatchLimits,
): Promise<State & { isAtEnd: boolean }> {
  const { table, position, rows } = state;
  const batch = await idsAfter(transaction, state, limits);
  const isAtEnd = batch.length === 0;
  const locked = await rebuildRows(transaction, table, isAtEnd ? state.leftOver : batch);
  const leftOver = isAtEnd ? locked : [...state.leftOver, ...locked];
  return { table, position: batch.at(-1) ?? position, leftOver, rows: rows + batch.length, isAtEnd };
}

/** The ids of the next rows, from the newest on. */
async function idsAfter(
  transaction: Prisma.TransactionClient,
  { table, position }: State,
  { rows, bytes }: BatchLimits,
): Promise<string[]> {
  const start = position === null ? Prisma.empty : Prisma.sql`WHERE id < ${position}`;
  const found = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM (
      SELECT id, sum(size) OVER (ORDER BY id DESC ROWS UNBOUNDED PRECEDING) - size AS before FROM (
        SELECT id, coalesce(pg_column_size(${sources[table]}), 0) AS size FROM ${nameOf(table)} ${start}
        ORDER BY id DESC LIMIT ${rows}::int) page) page
    WHERE before < ${bytes}::int ORDER BY id DESC`;
  return found.map(({ id }) => id);
}

/** Makes the vectors of these rows again, where they are old, and returns the ids of those that somebody is changing. */
async function rebuildRows(
  transaction: Prisma.TransactionClient,
  table: Table,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const old = Prisma.sql`id = ANY(${[...ids]}) AND ${isOld[table]}`;
  await transaction.$executeRaw`
    UPDATE ${nameOf(table)} SET ${sources[table]} = ${sources[table]}
    WHERE id = ANY (ARRAY(SELECT id FROM ${nameOf(table)} WHERE ${old} FOR NO KEY UPDATE SKIP LOCKED))`;
  const left = await transaction.$queryRaw<{ id: string }[]>`SELECT id FROM ${nameOf(table)} WHERE ${old}`;
  return left.map(({ id }) => id);
}

function nameOf(table: Table): Prisma.Sql {
  return table === 'thread' ? Prisma.sql`thread` : Prisma.sql`message`;
}

async function rowsOf(transaction: Prisma.TransactionClient, table: Table): Promise<number> {
  const [row] = await transaction.$queryRaw<{ rows: number }[]>`
    SELECT reltuples::float8 AS rows FROM pg_class WHERE oid = ${table}::regclass`;
  return row?.rows ?? 0;
}
