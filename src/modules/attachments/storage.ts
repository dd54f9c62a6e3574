/**
 * How much the attachments of a user and of an organization may take up, sent or not. An announced attachment takes up its size from
 * then on. Whoever announces one holds the row of the organization, so of two at the same moment the second finds the first.
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
  /** Bytes that are to be stored. */
  size: number;
  /** In bytes. */
  storage: AttachmentStorage;
}

/** Does what stores so many bytes. Throws an `AttachmentQuotaError` where there is no room for them. */
export function withinStorage<T>(
  database: PrismaClient,
  options: StorageOptions,
  store: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const { perUser, perOrganization } = options.storage;
  if (perUser === null && perOrganization === null) return store(database);
  return database.$transaction(async (transaction) => {
    // Weaker than what deletes the row, so that whoever makes a thread does not wait for it.
    await transaction.$queryRaw`
      SELECT 1 FROM organization WHERE id = ${options.viewer.organizationId} FOR NO KEY UPDATE`;
    await checkRoom(transaction, options);
    return store(transaction);
  });
}

/** A statement of its own: it sees what was stored while the one before it waited. */
async function checkRoom(transaction: Transaction, { viewer, size, storage }: StorageOptions): Promise<void> {
  const { userId, organizationId } = viewer;
  const [stored] = await transaction.$queryRaw<{ ofUser: bigint; ofOrganization: bigint }[]>`
    SELECT coalesce(sum(a.size) FILTER (WHERE u.id = ${userId}), 0)::bigint AS "ofUser",
      coalesce(sum(a.size), 0)::bigint AS "ofOrganization"
    FROM user_account u JOIN attachment a ON a.owner_id = u.id WHERE u.organization_id = ${organizationId}`;
  if (!stored) return;
  const fits = (used: bigint, limit: number | null) => limit === null || Number(used) + size <= limit;
  if (!fits(stored.ofUser, storage.perUser)) throw new AttachmentQuotaError(full.user);
  if (!fits(stored.ofOrganization, storage.perOrganization)) throw new AttachmentQuotaError(full.organization);
}

const full = {
  user: 'Your attachments take up all the room that a user may have. Send a smaller one, or ask the operator for more room.',
  organization:
    'The attachments of your organization take up all the room that it may have. Send a smaller one, or ask the operator for more room.',
} as const;
