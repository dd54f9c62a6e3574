/** Removes what has had its time: keys of a day ago, tokens in transit that nobody will fetch, places of a month ago, ended sessions. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { forgetOldSignIns } from '../auth/attempts.js';
import { forgetUnsentAttachments } from '../modules/attachments/announce.js';
import { forgetOldKeys } from '../modules/posting/idempotency.js';
import { Ticker } from '../modules/responses/ticker.js';
import { forgetOldPositions } from '../modules/threads/list-position.js';

const intervalMs = 600_000;

export function startHousekeeping(database: PrismaClient, logger: Logger): Ticker {
  const clean = async () => {
    await forgetOldKeys(database);
    await forgetOldPositions(database);
    await forgetUnsentAttachments(database);
    await forgetOldSignIns(database);
    await database.$executeRaw`DELETE FROM token_chunk WHERE created_at < clock_timestamp() - interval '1 hour'`;
  };
  const housekeeping = new Ticker(intervalMs, () =>
    clean().catch((error: unknown) => logger.warn({ err: error }, 'what is too old was not removed; later again')),
  );
  housekeeping.start();
  return housekeeping;
}
