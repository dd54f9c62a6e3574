/** Outages of the PostgreSQL that two nodes share. */
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { defaultGenerationLimits } from '../../../src/modules/responses/generation/limits.js';
import { type RunningService, startService } from '../../../src/serve.js';
import { startModelServer } from '../../support/model/model-server.js';
import { runSql } from '../../support/server.js';
import { TestService } from '../../support/service.js';
import { OutageStage } from './outage-stage.js';
import { OwnPostgres } from './own-postgres.js';
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

export interface NodeStageOptions {
  maxConnections?: number;
  /** The way of the nodes to the database; straight, where it is left out. */
  through?: (postgres: OwnPostgres) => Promise<string>;
}

export interface NodeStage extends AsyncDisposable {
  /** A stage for one outage. */
  newStage(): OutageStage;
  postgres: OwnPostgres;
  nodes: readonly RunningService[];
}

/**
 * Two nodes on one PostgreSQL of their own, with the leases and retries of production, which decide what an outage may last.
 * Only the model may be silent for longer: it waits for the test.
 */
async function startNodes({ maxConnections, through }: NodeStageOptions = {}): Promise<NodeStage> {
  const postgres = await OwnPostgres.start(maxConnections);
  const model = await startModelServer();
  const url = (await through?.(postgres)) ?? postgres.url;
  const environment = { PORT: '0', AI_MODEL: 'compatible:scripted', AI_BASE_URL: model.url, DATABASE_URL: url };
  const log: string[] = [];
  const logger = pino({ level: 'info', base: null }, { write: (line: string) => void log.push(line) });
  const settings = { limits: { ...defaultGenerationLimits, silenceMs: 300_000 } };
  const startNode = () => startService({ config: readConfig(environment), logger, settings });
  const drop = () => postgres.remove();
  const storage = { url: postgres.url, drop, [Symbol.asyncDispose]: drop };
  const service = new TestService({ service: await startNode(), startNode, model, storage, log });
  const { token } = await service.person();
  const nodes = [service.service, await service.addNode()];
  const urls = nodes.map((node) => node.url);
  const newStage = () => new OutageStage({ urls, token, databaseUrl: postgres.url, model });
  const dispose = async () => {
    postgres.thaw();
    await service.stop();
  };
  return { newStage, postgres, nodes, [Symbol.asyncDispose]: dispose };
}
