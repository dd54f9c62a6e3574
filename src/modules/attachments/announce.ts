/**
 * Announces an upload, which creates the attachment. Attachments that are not uploaded or sent are removed after a day
 * and count towards their owner's quota until then, so nobody can fill the database.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { Context } from '../../builder.js';
import { AttachmentQuotaError, type InputProblem, InvalidInputError } from '../../errors.js';
import { createId } from '../../ids.js';
import { checkText } from '../check-text.js';
import type { Viewer } from '../identity/authenticate.js';
import { kindOf, maximumSize, mediaTypeNames } from './media-types.js';
import { withinStorage } from './storage.js';

/** Maximum unsent attachments of a user. Concurrent announcements may exceed it a little. */
export const quota = { attachments: 50, bytes: 100 * 1024 * 1024 } as const;

const tooManyUnsent = 'You have too many attachments that were not sent. Send them, or wait a day.';

/** Minutes within which the content must be uploaded. */
export const uploadMinutes = 15;

export interface Announcement {
  name: string;
  mediaType: string;
  /** In bytes. */
  size: number;
}

/**
 * Returns the id of the new attachment. Throws an `InvalidInputError` for an invalid name, type or size, and an
 * `AttachmentQuotaError` if the quota or the storage is exhausted.
 */
export async function announceAttachment(
  { database, viewer, attachmentStorage: storage, metrics }: AnnouncementContext,
  announcement: Announcement,
): Promise<string> {
  checkAnnouncement(announcement);
  const room = { viewer, size: announcement.size, storage };
  try {
    return await withinStorage(database, room, (transaction) => store(transaction, viewer, announcement));
  } catch (error) {
    // A member of the mutation's union, which the metrics of operations do not see.
    metrics.limitsHit.see(error);
    throw error;
  }
}

type AnnouncementContext = Pick<Context, 'database' | 'viewer' | 'attachmentStorage' | 'metrics'>;

async function store(
  database: Pick<PrismaClient, '$executeRaw'>,
  viewer: Viewer,
  { name, mediaType, size }: Announcement,
): Promise<string> {
  const id = createId('att');
  const announced = await database.$executeRaw`
    WITH unsent AS (
      SELECT count(*) AS attachments, coalesce(sum(size), 0) AS bytes FROM attachment
      WHERE owner_id = ${viewer.userId} AND message_id IS NULL)
    INSERT INTO attachment (id, owner_id, name, media_type, size, created_at)
    SELECT ${id}, ${viewer.userId}, ${name}, ${mediaType}, ${size}::int, date_trunc('milliseconds', clock_timestamp()) FROM unsent
    WHERE attachments < ${quota.attachments} AND bytes + ${size}::int <= ${quota.bytes}`;
  if (announced === 0) throw new AttachmentQuotaError('unsent-attachments', tooManyUnsent);
  return id;
}

function checkAnnouncement({ name, mediaType, size }: Announcement): void {
  checkText([{ field: 'name', value: name, limit: 'name' }]);
  const problems: InputProblem[] = [];
  if (name.trim() === '' || /[\p{Cc}/\\]/u.test(name)) {
    problems.push({ field: 'name', message: 'must be a file name without a path' });
  }
  if (!kindOf(mediaType)) problems.push({ field: 'mediaType', message: `must be one of ${mediaTypeNames.join(', ')}` });
  if (size < 1 || size > maximumSize) {
    problems.push({ field: 'size', message: `must be from 1 to ${maximumSize}` });
  }
  if (problems.length > 0) throw new InvalidInputError(problems);
}
