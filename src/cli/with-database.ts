/** Opens the database for a command, and stops what was started. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { Config } from '../config.js';
import { createPrismaClient } from '../database/client.js';
import { migrate } from '../database/migrations/migrate.js';
import { type DatabaseAddress, openDatabaseForCommand } from '../process/open-database.js';
import { loadConfig } from './load-config.js';

export type Command = (database: PrismaClient, logger: Logger) => Promise<void>;

/** Migrates the database and runs the command on it. */
export async function withDatabase(command: Command): Promise<void> {
  await withAddress(openDatabaseForCommand, async (address, quiet) => {
    const database = createPrismaClient({
      url: address.url,
      isPooled: address.isPooled,
      applicationName: 'skein command',
      maxConnections: 2,
      // Hardly a statement of a command is repeated, and each pooler can do without.
      preparedStatements: false,
      logger: quiet,
    });
    try {
      await migrate({ url: address.directUrl, isDirect: address.isPooled, logger: quiet });
      await command(database, quiet);
    } finally {
      await database.$disconnect();
    }
  });
}

/** Runs the command on the database as it is. */
export async function withAddress<Address extends DatabaseAddress>(
  open: (config: Config, logger: Logger) => Promise<Address>,
  command: (address: Address, logger: Logger) => Promise<void>,
): Promise<void> {
  const { config, logger } = loadConfig();
  const quiet = logger.child({}, { level: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const address = await open(config, quiet);
  try {
    await command(address, quiet);
  } finally {
    // The database may cut connections that are just closing; that deserves no warning.
    quiet.level = 'error';
    await address.close();
  }
}
