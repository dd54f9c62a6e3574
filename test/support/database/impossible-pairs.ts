/**
 * The rule of the database that the state of a thread and its live response agree. Every test that stops its service checks
 * that it held; few need a thread that no operation leads to, and switch the rule off for their database.
 */
import { runSql } from '../server.js';

const triggers = {
  thread: ['thread_queued', 'thread_paired'],
  response: ['response_live', 'response_paired', 'response_removed'],
};

/** Runs statements without the rule, which then holds again for whatever comes after. */
export async function breakPairs(url: string, ...statements: string[]): Promise<void> {
  await runSql(url, ...switched('DISABLE'), ...statements, ...switched('ENABLE'));
}

/** Switches the rule off for the rest of the database's life. */
export async function allowImpossiblePairs(url: string): Promise<void> {
  await runSql(url, ...switched('DISABLE'));
}

/** Threads whose state contradicts their response, unless the rule is off. */
export async function findImpossiblePairs(url: string): Promise<unknown[]> {
  return runSql(
    url,
    `SELECT * FROM public.impossible_pair WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'thread_paired' AND tgenabled = 'D')`,
  );
}

function switched(how: 'ENABLE' | 'DISABLE'): string[] {
  return Object.entries(triggers).flatMap(([table, names]) =>
    names.map((name) => `ALTER TABLE ${table} ${how} TRIGGER ${name}`),
  );
}
