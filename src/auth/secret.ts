/** The key that signs session cookies. All nodes share it through the database, so nobody has to configure it. */
import { randomBytes } from 'node:crypto';
import type { PrismaClient } from '../../prisma/generated/client/client.js';

const name = 'auth';

/**
 * The configured key, or the one in the database, which is created when it is first needed; if several nodes start
 * together, one creates it.
 */
export async function loadAuthSecret(database: PrismaClient, configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured;
  const fresh = randomBytes(32).toString('base64url');
  await database.$executeRaw`INSERT INTO service_secret (name, value) VALUES (${name}, ${fresh}) ON CONFLICT DO NOTHING`;
  const { value } = await database.serviceSecret.findUniqueOrThrow({ where: { name } });
  return value;
}
