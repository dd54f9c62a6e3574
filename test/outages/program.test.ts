/** The single process and its own PostgreSQL, which its supervisor brings back: nobody has to start anything again. */
import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { clusterDirectory } from '../../src/database/embedded/data-directory.js';
import { stopPostmaster } from '../../src/database/embedded/process/postmaster.js';
import { runningPostmaster } from '../../src/database/embedded/process/postmaster-pid.js';
import { connectionTo, connectionUrl } from '../../src/database/embedded/server-session.js';
import { end, type Service, serve } from '../cli/program.js';
import { copySchemaCluster } from '../support/database/schema-cluster.js';
import { startModelServer } from '../support/model/model-server.js';
import { OutageStage } from './stage/outage-stage.js';
import { freezeServer, newDirectory } from './stage/own-postgres.js';
import { sufferOutage } from './stage/suffer-outage.js';

interface ProgramOutage {
  name: string;
  begin: (program: ProgramStage) => Promise<void>;
  end?: (program: ProgramStage) => void;
  lastsMs?: number;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGKILL'] as const;
const outages: ProgramOutage[] = [
  ...signals.map((name) => ({ name, begin: (program: ProgramStage) => program.signal(name) })),
  { name: 'frozen', begin: (program) => program.freeze(), end: (program) => program.thaw(), lastsMs: 8_000 },
];

it('the single process answers 503, loses no response and recovers if its PostgreSQL is ended by a signal or freezes for longer than any limit', {
  timeout: 480_000,
}, async () => {
  await using started = await startProgram();
  for (const { name, begin, end, lastsMs = 0 } of outages) {
    await sufferOutage(started.newStage(), {
      name: `program: ${name}`,
      begin: () => begin(started),
      end: async () => end?.(started),
      lastsMs,
    });
    const { exitCode, signalCode } = started.program.child;
    expect([exitCode, signalCode], 'the process that was there before').toEqual([null, null]);
  }
});

interface ProgramStage extends AsyncDisposable {
  /** A stage for one outage. */
  newStage(): OutageStage;
  program: Service;
  /** Signals the PostgreSQL that runs now. */
  signal(signal: NodeJS.Signals): Promise<void>;
  freeze(): Promise<void>;
  thaw(): void;
}

/** As `npm start` runs it: one process with the database that it brings along, which it starts again itself. */
async function startProgram(): Promise<ProgramStage> {
  const dataDir = await newDirectory();
  await copySchemaCluster(dataDir);
  const model = await startModelServer();
  const program = await serve({ DATA_DIR: dataDir, AI_MODEL: 'compatible:scripted', AI_BASE_URL: model.url });
  const running = () => runningPostmaster(clusterDirectory(dataDir));
  const found = await running();
  if (!found) throw new Error('The program runs no PostgreSQL');
  const databaseUrl = connectionUrl(connectionTo(found.socketDir));
  const [token] = await program.prints(/skn_pat_[0-9A-Za-z]{36}/);
  const newStage = () => new OutageStage({ urls: [program.url], token, databaseUrl, model });
  let frozen: number[] = [];
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  };
  const dispose = async () => {
    thaw();
    await end(program, 'SIGKILL');
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
