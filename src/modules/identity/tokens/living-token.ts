import { Prisma } from '../../../../prisma/generated/client/client.js';
import type { Viewer } from '../authenticate.js';
import { isSession } from '../session.js';

/**
 * A condition that the viewer's token or session is still valid. Statements of live feeds include it, so access is
 * checked with each read.
 */
export function tokenLivesSql(viewer: Pick<Viewer, 'tokenId'>): Prisma.Sql {
  const { tokenId } = viewer;
  if (isSession(viewer)) {
    return Prisma.sql`EXISTS (SELECT 1 FROM session s WHERE s.id = ${tokenId} AND s.expires_at > clock_timestamp())`;
  }
  return Prisma.sql`EXISTS (SELECT 1 FROM access_token k WHERE k.id = ${tokenId} AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp()))`;
}
