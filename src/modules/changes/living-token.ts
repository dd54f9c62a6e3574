import { Prisma } from '../../../prisma/generated/client/client.js';
import type { Viewer } from '../identity/authenticate.js';

/** True, as SQL, while the viewer's token is neither revoked nor expired: whoever follows something is asked with each read. */
export function tokenLivesSql({ tokenId }: Pick<Viewer, 'tokenId'>): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM access_token k WHERE k.id = ${tokenId} AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp()))`;
}
