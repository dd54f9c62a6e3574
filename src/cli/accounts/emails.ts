import type { PrismaClient } from '../../../prisma/generated/client/client.js';

/** The e-mail addresses of users by their ids. Users who were deleted have none. */
export async function emailsOf(database: PrismaClient, ids: readonly string[]): Promise<Map<string, string>> {
  const where = { id: { in: [...new Set(ids)] } };
  const users = await database.user.findMany({ where, select: { id: true, email: true } });
  return new Map(users.map(({ id, email }) => [id, email]));
}
