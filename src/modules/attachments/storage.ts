/**
 * Limits the storage for attachments of a user and an organization, sent or not. An attachment counts from its
 * announcement. Announcing locks the row of the organization, so concurrent announcements see each other.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { AttachmentQuotaError } from '../../errors.js';
import type { Viewer } from '../identity/authenticate.js';

/** Null: no limit. */
export interface AttachmentStorage {
  perUser: number | null;
  perOrganization: number | null;
}

type Transaction = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>;

interface StorageOptions {
  viewer: Viewer;
  /** Bytes to be stored. */
  size: number;
  /** In bytes. */
  storage: AttachmentStorage;
}

/** Runs `work`, which stores `size` bytes. Throws an `AttachmentQuotaError` if there is no room. */
export function withinStorage<T>(
  database: PrismaClient,
  options: StorageOptions,
  store: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const { perUser, perOrganization } = options.storage;
  if (perUser === null && perOrganization === null) return store(database);
  return database.$transaction(async (transaction) => {
    // A lock that does not block the creation of threads.
    await transaction.$queryRaw`
      SELECT 1 FROM organization WHERE id = ${options.viewer.organizationId} FOR NO KEY UPDATE`;
    await checkRoom(transaction, options);
    return store(transaction);
  });
}

/** A separate statement, so that it sees what was stored while the lock was awaited. */
async function checkRoom(transaction: Transaction, { viewer, size, storage }: StorageOptions): Promise<void> {
  const { userId, organizationId } = viewer;
  const [stored] = await transaction.$queryRaw<{ ofUser: bigint; ofOrganization: bigint }[]>`
    SELECT coalesce(sum(a.size) FILTER (WHERE u.id = ${userId}), 0)::bigint AS "ofUser",
      coalesce(sum(a.size), 0)::bigint AS "ofOrganization"
    FROM user_account u JOIN attachment a ON a.owner_id = u.id WHERE u.organization_id = ${organizationId}`;
  if (!stored) return;
  const fits = (used: bigint, limit: number | null) => limit === null || Number(used) + size <= limit;
  if (!fits(stored.ofUser, storage.perUser)) throw new AttachmentQuotaError('attachment-storage', full.user);
  if (fits(stored.ofOrganization, storage.perOrganization)) return;
  throw new AttachmentQuotaError('attachment-storage', full.organization);
}

const full = {
  user: 'Your attachments take up all the room that a user may have. Send a smaller one, or ask the operator for more room.',
  organization:
    'The attachments of your organization take up all the room that it may have. Send a smaller one, or ask the operator for more room.',
} as const;
