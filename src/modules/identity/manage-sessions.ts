/**
 * Lists and ends the viewer's browser sessions. Only browsers may do this: a leaked token must neither reveal where its
 * owner is signed in nor sign them out.
 */
import { Prisma, type PrismaClient, type Session } from '../../../prisma/generated/client/client.js';
import { NotFoundError } from '../../errors.js';
import type { Viewer } from './authenticate.js';
import { isSession } from './session.js';

/** A session without its secret or digest. */
export type OwnSession = Pick<Session, 'id' | 'userAgent' | 'createdAt' | 'updatedAt' | 'expiresAt'>;

export const maximumSessions = 200;
export const userAgentLength = 500;

const columns = Prisma.sql`id, nullif(left(user_agent, ${userAgentLength}::int), '') AS "userAgent",
  created_at AS "createdAt", updated_at AS "updatedAt", expires_at AS "expiresAt"`;

/** The sessions of the viewer, at most `maximumSessions`, the last used first. Empty for a token. */
export async function listOwnSessions(database: PrismaClient, viewer: Viewer): Promise<OwnSession[]> {
  if (!isSession(viewer)) return [];
  return database.$queryRaw<OwnSession[]>`
    SELECT ${columns} FROM session WHERE user_id = ${viewer.userId} AND expires_at > clock_timestamp()
    ORDER BY updated_at DESC, id DESC LIMIT ${maximumSessions}`;
}

/** Ends a session and returns it. Throws a `NotFoundError` if the viewer has no such session, and for tokens. */
export async function endOwnSession(database: PrismaClient, viewer: Viewer, id: string): Promise<OwnSession> {
  const [ended] = isSession(viewer)
    ? await database.$queryRaw<OwnSession[]>`
        DELETE FROM session WHERE id = ${id} AND user_id = ${viewer.userId} RETURNING ${columns}`
    : [];
  if (!ended) throw new NotFoundError('session');
  return ended;
}
