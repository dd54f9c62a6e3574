/** Migrates the database, runs a command on it, and stops what was started. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { createPrismaClient } from '../database/client.js';
import { migrate } from '../database/migrations/migrate.js';
import { openDatabaseForCommand } from '../process/open-database.js';
import { loadConfig } from './load-config.js';

export type Command = (database: PrismaClient, logger: Logger) => Promise<void>;

export async function withDatabase(command: Command): Promise<void> {
  const { config, logger } = loadConfig();
  const quiet = logger.child({}, { level: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const address = await openDatabaseForCommand(config, quiet);
  const database = createPrismaClient({
    url: address.url,
    applicationName: 'skein command',
    maxConnections: 2,
    // Hardly a statement of a command is repeated, and each pooler can do without.
    preparedStatements: false,
    logger: quiet,
  });
  try {
    await migrate({ url: address.directUrl, logger: quiet });
    await command(database, quiet);
  } finally {
    await database.$disconnect();
    // The database may cut connections that are just closing; that deserves no warning.
    quiet.level = 'error';
    await address.close();
  }
}
