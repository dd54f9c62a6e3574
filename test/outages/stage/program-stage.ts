/** The program as `npm start` runs it: one process with the database that it brings along, which it starts again itself. */
import { rm } from 'node:fs/promises';
import { clusterDirectory } from '../../../src/database/embedded/data-directory.js';
import { stopPostmaster } from '../../../src/database/embedded/process/postmaster.js';
import { runningPostmaster } from '../../../src/database/embedded/process/postmaster-pid.js';
import { connectionTo, connectionUrl } from '../../../src/database/embedded/server-session.js';
import { ChildService } from '../../modules/tokens/child-service.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { startModelServer } from '../../support/model/model-server.js';
import { OutageStage } from './outage-stage.js';
import { freezeServer, newDirectory } from './own-postgres.js';

export interface ProgramStage extends AsyncDisposable {
  /** A stage for one outage. */
  newStage(): OutageStage;
  program: ChildService;
  /** Signals the PostgreSQL that runs now. */
  signal(signal: NodeJS.Signals): Promise<void>;
  freeze(): Promise<void>;
  thaw(): void;
}

export async function startProgram(): Promise<ProgramStage> {
  const dataDir = await newDirectory();
  await copySchemaCluster(dataDir);
  const model = await startModelServer();
  const program = await ChildService.start({
    DATA_DIR: dataDir,
    AI_MODEL: 'compatible:scripted',
    AI_BASE_URL: model.url,
    LOG_LEVEL: 'info',
  });
  const running = () => runningPostmaster(clusterDirectory(dataDir));
  const found = await running();
  if (!found) throw new Error('The program runs no PostgreSQL');
  const databaseUrl = connectionUrl(connectionTo(found.socketDir));
  const token = await program.firstToken();
  const newStage = () => new OutageStage({ urls: [program.url], token, databaseUrl, model });
  let frozen: number[] = [];
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  };
  const dispose = async () => {
    thaw();
    await program[Symbol.asyncDispose]();
    await model.close();
    await stopPostmaster(clusterDirectory(dataDir));
    await rm(dataDir, { recursive: true, force: true });
  };
  const postmaster = async () => (await running())?.pid ?? found.pid;
  return {
    newStage,
    program,
    signal: async (signal) => void process.kill(await postmaster(), signal),
    freeze: async () => {
      frozen = await freezeServer(await postmaster());
    },
    thaw,
    [Symbol.asyncDispose]: dispose,
  };
}
