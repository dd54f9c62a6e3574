/** The key that signs the cookies of sessions. All nodes share it, and nobody has to configure it: the database keeps one. */
import { randomBytes } from 'node:crypto';
import type { PrismaClient } from '../../prisma/generated/client/client.js';

const name = 'auth';

/** The configured key, or the one of the database, which is made when it is first needed; of nodes at the same time, one makes it. */
export async function loadAuthSecret(database: PrismaClient, configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured;
  const fresh = randomBytes(32).toString('base64url');
  await database.$executeRaw`INSERT INTO service_secret (name, value) VALUES (${name}, ${fresh}) ON CONFLICT DO NOTHING`;
  const { value } = await database.serviceSecret.findUniqueOrThrow({ where: { name } });
  return value;
}
