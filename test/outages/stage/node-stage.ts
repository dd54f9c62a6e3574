/**
 * Two nodes on one PostgreSQL of their own, with the leases and retries of production, which decide what an outage may last.
 * Only the model may be silent for longer: it waits for the test.
 */
import { pino } from 'pino';
import { readConfig } from '../../../src/config.js';
import { defaultGenerationLimits } from '../../../src/modules/responses/generation/limits.js';
import { type RunningService, startService } from '../../../src/serve.js';
import { startModelServer } from '../../support/model/model-server.js';
import { TestService } from '../../support/service.js';
import { OutageStage } from './outage-stage.js';
import { OwnPostgres } from './own-postgres.js';

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

export async function startNodes({ maxConnections, through }: NodeStageOptions = {}): Promise<NodeStage> {
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
