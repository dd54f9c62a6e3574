/** Opens the database of the configuration: the configured server or the embedded one. */
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { openCommandDatabase } from '../database/command-database.js';
import { chooseDataDirectory } from '../database/embedded/data-directory.js';
import { startEmbeddedServer } from '../database/embedded/server.js';
import { poolSize } from './shares.js';

export interface DatabaseAddress {
  url: string;
  /** The URL that bypasses poolers, for LISTEN and migrations. */
  directUrl: string;
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
    maxConnections: connectionsOfCommands + config.processes * connectionsOfProcess,
  });
  return { url: server.url, directUrl: server.url, exclusive: true, startsAlone: true, close: server.stop };
}

/** Opens the database for a command: that of the running service, or a temporary one. */
export async function openDatabaseForCommand(config: Config, logger: Logger): Promise<DatabaseAddress> {
  if (config.databaseUrl) return external(config, config.databaseUrl);
  const server = await openCommandDatabase({
    dataDir: await dataDirOf(config, logger),
    logger,
    binDir: config.pgBinDir,
  });
  return { url: server.url, directUrl: server.url, exclusive: false, startsAlone: false, close: server.close };
}

/** See `serve.ts`: the main pool, that of leases, and the one that listens. */
const connectionsOfProcess = poolSize + 2 + 1;
/** For commands, migrations and PostgreSQL itself. */
const connectionsOfCommands = 23;

function external(config: Config, url: string): DatabaseAddress {
  const directUrl = config.directDatabaseUrl ?? url;
  return { url, directUrl, exclusive: false, startsAlone: false, close: () => Promise.resolve() };
}

function dataDirOf(config: Config, logger: Logger): Promise<string> {
  return chooseDataDirectory({ configured: config.dataDir, fallback: '.data', logger });
}
