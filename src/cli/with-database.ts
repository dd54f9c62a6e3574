/** Runs one command on the database, brought to the present schema, and ends what it started. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { createPrismaClient } from '../database/client.js';
import { migrate } from '../database/migrate.js';
import { ProvisionError } from '../modules/identity/provision.js';
import { openDatabaseForCommand } from '../process/open-database.js';
import { loadConfig } from './load-config.js';

export type Command = (database: PrismaClient, logger: Logger) => Promise<void>;

/** A refusal is one line on standard error and exit status 1. */
export async function withDatabase(command: Command): Promise<void> {
  const { config, logger } = loadConfig();
  const quiet = logger.child({}, { level: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const address = await openDatabaseForCommand(config, quiet);
  const database = createPrismaClient({
    url: address.url,
    applicationName: 'skein command',
    maxConnections: 2,
    logger: quiet,
  });
  try {
    await migrate({ url: address.directUrl, logger: quiet });
    await command(database, quiet);
  } catch (error) {
    if (!(error instanceof ProvisionError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    await database.$disconnect();
    await address.close();
  }
}
