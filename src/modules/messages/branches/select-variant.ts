/**
 * Selects another branch of a conversation: a variant of a user message, and what followed it when it was put aside. The branch
 * that was active is put aside in turn. The thread is `ready` afterwards, like one that was resumed: it goes on from there.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { NotFoundError } from '../../../errors.js';
import type { Viewer } from '../../identity/authenticate.js';
import { readySql } from '../../responses/protocol/resume-thread.js';
import { unchangedSql, unlessOvertaken } from '../../threads/unchanged.js';
import { visibleToSql } from '../../threads/visibility.js';
import { branchingStates, findVariant, unusable, type Variant } from './find-variant.js';
import { moveAttachmentsSql, putAsideSql } from './put-aside.js';

/**
 * Selects the variant, unless it is selected. Returns the id of the thread. Throws a `NotFoundError` if the viewer cannot see
 * the message, an `InvalidInputError` if the active branch has no variant of it to change places with, and a
 * `ThreadNotReadyError` if the thread is in no state in which that is possible.
 */
export function selectVariant(database: PrismaClient, viewer: Viewer, messageId: string): Promise<string> {
  return unlessOvertaken(async () => {
    const variant = await findVariant(database, viewer, messageId);
    if (variant.selected?.id === variant.id) return variant.threadId;
    // Nothing of a branch that is not selected can be found but the variants of messages that are.
    if (!variant.selected && !variant.isOnBranch) throw new NotFoundError('message');
    if (!variant.selected) throw unusable('must be a variant of an active message; a summary has replaced this one');
    return (await selectVariantIf(database, viewer, variant)) ? variant.threadId : null;
  });
}

/** False, without any change, if the thread has changed since the variant was read. */
export async function selectVariantIf(database: PrismaClient, viewer: Viewer, variant: Variant): Promise<boolean> {
  const { selected } = variant;
  return selected !== null && (await database.$queryRaw<unknown[]>(selectSql(viewer, variant, selected))).length > 0;
}

/** Exported so that a test can check its plan. */
export function selectSql(viewer: Viewer, variant: Variant, selected: NonNullable<Variant['selected']>): Prisma.Sql {
  const { id, threadId } = variant;
  const condition = Prisma.sql`${visibleToSql(viewer)} AND ${unchangedSql(variant)}`;
  const columns = Prisma.sql`, branch_version = t.branch_version + 1`;
  return Prisma.sql`
    WITH thread AS (${readySql(threadId, { from: branchingStates, condition, columns })}),
    aside AS (${putAsideSql(threadId, selected)}),
    shown AS (
      UPDATE message m SET active = true, hidden_with_id = NULL FROM thread
      WHERE m.hidden_with_id = ${id} AND m.thread_id = thread.id),
    attached AS (${moveAttachmentsSql({ from: selected.id, to: id })})
    SELECT id FROM thread`;
}
