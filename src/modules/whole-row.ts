/** Marks rows that have every column and relation that their plain fields need (`graphql/whole-rows.ts`). */
const mark = Symbol('whole');

export interface WholeRow {
  readonly [mark]: true;
}

/** Marks a row as whole, in place. */
export function whole<Row extends object>(row: Row): Row & WholeRow {
  const marked = row as Row & { [mark]: true };
  marked[mark] = true;
  return marked;
}

export function isWhole(row: unknown): row is WholeRow & Record<string, unknown> {
  return (row as Partial<WholeRow> | null)?.[mark] === true;
}
