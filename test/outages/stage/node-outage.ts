/** Outages of the PostgreSQL that two nodes share. */
import { expect, vi } from 'vitest';
import { runSql } from '../../support/server.js';
import { type NodeStageOptions, startNodes } from './node-stage.js';
import type { OwnPostgres } from './own-postgres.js';
import { type Outage, sufferOutage } from './suffer-outage.js';

/** Processes of PostgreSQL that serve the nodes. */
export const ourSessions = `SELECT pid FROM pg_stat_activity WHERE application_name ~ '^skein (node|listen)'`;

export type NodeOutage = { [Key in 'begin' | 'end']: (postgres: OwnPostgres) => Promise<void> } & Omit<
  Outage,
  'begin' | 'end'
>;

/** Suffers one after the other on two nodes, and sees that no connection is left over when the nodes have stopped. */
export async function suffer(outages: readonly NodeOutage[], options: NodeStageOptions = {}): Promise<void> {
  await using started = await startNodes(options);
  const { newStage, postgres, nodes } = started;
  for (const outage of outages) {
    const { begin, end } = outage;
    await sufferOutage(newStage(), { ...outage, begin: () => begin(postgres), end: () => end(postgres) });
  }
  await Promise.all(nodes.map((node) => node.stop(0)));
  const left = () => runSql(postgres.url, ourSessions);
  await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 60_000 });
}
