/** What PostgreSQL did for a statement, counted by running it. */
import pg from 'pg';
import { expect, vi } from 'vitest';
import { Prisma } from '../../../prisma/generated/client/client.js';
import { runSql } from '../server.js';

/** One step of a plan. */
export interface PlanStep {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Subplan Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanStep[];
}

/**
 * The steps of the plan, those that feed a step after it, as the database with that URL runs the statement. With others
 * before it, all are one transaction, which is rolled back.
 */
export async function planOf(url: string, statement: Prisma.Sql, ...before: Prisma.Sql[]): Promise<PlanStep[]> {
  const transaction = before.length > 0 ? ['BEGIN', ...before] : [];
  return stepsOf(await runSql(url, ...transaction, Prisma.sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`));
}

/**
 * The same for a prepared statement that only reads, after as many calls as PostgreSQL takes to choose between a plan for
 * these values and one for all values.
 */
export async function preparedPlanOf(url: string, statement: Prisma.Sql): Promise<PlanStep[]> {
  const execute = `EXECUTE measured${statement.values.length > 0 ? `(${statement.values.map(literal).join()})` : ''}`;
  const calls = Array.from({ length: 8 }, () => execute);
  return stepsOf(
    await runSql(url, `PREPARE measured AS ${statement.text}`, ...calls, `EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`),
  );
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join()}]`;
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

function stepsOf(rows: unknown[]): PlanStep[] {
  const [row] = rows as { 'QUERY PLAN': { Plan: PlanStep }[] }[];
  return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => flatten(Plan));
}

function flatten(step: PlanStep): PlanStep[] {
  return [step, ...(step.Plans ?? []).flatMap(flatten)];
}

/** The statements that this process sends meanwhile, as they are sent. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Prisma.Sql[]> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const statements = sent.mock.calls.map(
      ([statement]) => statement as unknown as { text: string; values: unknown[] },
    );
    return statements
      .filter(({ text }) => text)
      .map(({ text, values }) => {
        const places = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number) - 1);
        return new Prisma.Sql(
          text.split(/\$\d+/),
          places.map((place) => values[place]),
        );
      });
  } finally {
    sent.mockRestore();
  }
}

/** No step of the plan reads a table from its beginning, nor more than so many rows. */
export function expectIndexes(plan: PlanStep[], most: number): void {
  expect(rowsTouched(plan), printPlan(plan)).toBeLessThanOrEqual(most);
  expect(plan.map((step) => step['Node Type'])).not.toContain('Seq Scan');
}

/** The most rows that one of the steps read or passed on. */
export function rowsTouched(steps: readonly PlanStep[]): number {
  const rows = steps.map(
    (step) => (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'],
  );
  return Math.max(0, ...rows);
}

/** A line a step, for a failure: what it does, on what, and how many rows it passed on and left out. */
export function printPlan(steps: readonly PlanStep[]): string {
  const lines = steps.map((step) => {
    const what = [step['Node Type'], step['Relation Name'], step['Index Name']].filter(Boolean).join(' ');
    return `${what}: ${step['Actual Rows']} rows x ${step['Actual Loops']}, ${step['Rows Removed by Filter'] ?? 0} left out`;
  });
  return `\n${lines.join('\n')}\n`;
}
