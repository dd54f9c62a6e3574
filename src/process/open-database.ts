/** Opens the database of the configuration: the configured server or the embedded one. */
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { copyDatabase } from '../database/backup/copy-database.js';
import { openCommandDatabase } from '../database/command-database.js';
import { chooseDataDirectory, hasCluster, prepareDataDirectory } from '../database/embedded/data-directory.js';
import { lockInstance } from '../database/embedded/instance-lock.js';
import { startEmbeddedServer } from '../database/embedded/server.js';
import { DatabaseStartError } from '../database/embedded/start-error.js';

export interface DatabaseAddress {
  url: string;
  /** The URL that bypasses poolers, for LISTEN and migrations. */
  directUrl: string;
  /** Whether there is a pooler at `url`. */
  isPooled: boolean;
  /** Whether no other process can use the database. */
  exclusive: boolean;
  /** Whether no other process uses it yet. */
  startsAlone: boolean;
  close: () => Promise<void>;
}

/** Opens the database for the service, which then owns the embedded one. */
export async function openDatabase(config: Config, logger: Logger): Promise<DatabaseAddress> {
  if (config.databaseUrl) return external(config, config.databaseUrl);
  const server = await startEmbeddedServer({
    dataDir: await dataDirOf(config, logger),
    logger,
    binDir: config.pgBinDir,
    upgrade: config.oldPgBinDir === undefined ? undefined : { oldBinDir: config.oldPgBinDir, copy: copyDatabase },
    maxConnections: connectionsOfCommands + config.processes * (config.databaseConnections + furtherOfProcess),
    memory: config.databaseMemory,
  });
  const { url, stop: close } = server;
  return { url, directUrl: url, isPooled: false, exclusive: true, startsAlone: true, close };
}

/** Opens the database for a command: that of the running service, or a temporary one. */
export async function openDatabaseForCommand(config: Config, logger: Logger): Promise<DatabaseAddress> {
  if (config.databaseUrl) return external(config, config.databaseUrl);
  const server = await openCommandDatabase({
    dataDir: await dataDirOf(config, logger),
    logger,
    binDir: config.pgBinDir,
  });
  const { url, close } = server;
  return { url, directUrl: url, isPooled: false, exclusive: false, startsAlone: false, close };
}

/**
 * Opens the database for a command that copies it. A directory that was mistyped must not become an empty database whose copy
 * seems to be a backup.
 */
export async function openDatabaseToCopy(config: Config, logger: Logger): Promise<DatabaseAddress> {
  if (!config.databaseUrl) await existingDataDir(config, logger);
  return openDatabaseForCommand(config, logger);
}

/**
 * Opens the embedded database for the command that moves it elsewhere. Nobody else can use it until it is closed, so nothing is
 * written that would stay behind.
 */
export async function openDatabaseToMove(
  config: Config,
  logger: Logger,
): Promise<DatabaseAddress & { dataDir: string }> {
  const dataDir = await existingDataDir(config, logger);
  const lock = await lockInstance({ dataDir: (await prepareDataDirectory(dataDir)).path, purpose: 'command' });
  const server = await startEmbeddedServer({ dataDir, logger, binDir: config.pgBinDir, lock });
  const { url, stop } = server;
  return { url, directUrl: url, isPooled: false, exclusive: true, startsAlone: true, close: stop, dataDir };
}

/** See `serve.ts`: beside those for requests, those of leases and the one that listens. */
const furtherOfProcess = 2 + 1;
/** For commands, migrations and PostgreSQL itself. */
const connectionsOfCommands = 23;

function external(config: Config, url: string): DatabaseAddress {
  const { directDatabaseUrl } = config;
  const isPooled = directDatabaseUrl !== undefined;
  return {
    url,
    directUrl: directDatabaseUrl ?? url,
    isPooled,
    exclusive: false,
    startsAlone: false,
    close: () => Promise.resolve(),
  };
}

function dataDirOf(config: Config, logger: Logger): Promise<string> {
  return chooseDataDirectory({ configured: config.dataDir, fallback: '.data', logger });
}

async function existingDataDir(config: Config, logger: Logger): Promise<string> {
  const dataDir = await dataDirOf(config, logger);
  if (await hasCluster(dataDir)) return dataDir;
  throw new DatabaseStartError(
    `There is no embedded database in ${dataDir}. Set DATA_DIR to the directory that has one.`,
  );
}
