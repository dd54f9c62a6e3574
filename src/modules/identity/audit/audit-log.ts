/**
 * The audit log of an organization: who signed in, changed a password, made or revoked a token, invited, removed or deleted
 * somebody, exported data, deleted a thread, or set a budget. The triggers of the database write it (migrations `audit_log`,
 * `audited_passwords` and `budgets`), except for exports, which change nothing; here it is read, newest first, and forgotten after a year.
 * It holds ids and no secrets.
 */
import { type AuditEvent, Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { InvalidCursorError, NotFoundError } from '../../../errors.js';
import { idOfUuid, isId, uuidOf } from '../../../ids.js';
import { decodeCursorText, encodeCursorText } from '../../cursor-text.js';

export const auditRetentionDays = 365;

/** A position in the log; it stays valid when its event has been forgotten. */
export type AuditPosition = Pick<AuditEvent, 'at' | 'id'>;

export interface AuditPageRequest {
  organizationId: number;
  /** Return only events before this one in time. */
  after: AuditPosition | null;
  limit: number;
}

export async function readAuditLog(
  database: PrismaClient,
  { organizationId, after, limit }: AuditPageRequest,
): Promise<AuditEvent[]> {
  const before = after ? Prisma.sql`AND (at, id) < (${after.at}, ${uuidOf(after.id)}::uuid)` : Prisma.empty;
  const rows = await database.$queryRaw<AuditEvent[]>`
    SELECT id, organization_id AS "organizationId", at, act, actor_kind AS "actorKind", actor_id AS "actorId",
      subject_id AS "subjectId", target_id AS "targetId"
    FROM audit_event WHERE organization_id = ${organizationId} ${before}
    ORDER BY at DESC, id DESC LIMIT ${limit}`;
  return rows.map(withPublicId);
}

/** Null if the organization has no such event. */
export async function findAuditEvent(
  database: PrismaClient,
  { organizationId, id }: { organizationId: number; id: string },
): Promise<AuditEvent | null> {
  const row = await database.auditEvent.findFirst({ where: { id: uuidOf(id), organizationId } });
  return row && withPublicId(row);
}

function withPublicId(row: AuditEvent): AuditEvent {
  return { ...row, id: idOfUuid('aud', row.id) };
}

export function encodeAuditCursor({ at, id }: AuditPosition): string {
  return encodeCursorText(`${at.getTime()}|${id}`);
}

/** Throws an `InvalidCursorError` for any text that `encodeAuditCursor` cannot have produced. */
export function decodeAuditCursor(cursor: string): AuditPosition {
  const [, ms = '', id = ''] = /^(\d{1,15})\|(\w+)$/.exec(decodeCursorText(cursor) ?? '') ?? [];
  if (!isId('aud', id)) throw new InvalidCursorError();
  return { at: new Date(Number(ms)), id };
}

/**
 * Records that an export of a user's data begins, before anything of it is read, and returns the id of the entry. Without an
 * actor, it is the operator.
 */
export async function auditExport(
  database: PrismaClient,
  { userId, actorId }: { userId: string; actorId: string | null },
): Promise<string> {
  const [entry] = await database.$queryRaw<{ id: string | null }[]>`
    SELECT audit_entry('data_exported', ${userId}, NULL, ${actorId}) AS id`;
  if (!entry?.id) throw new NotFoundError('user');
  return idOfUuid('aud', entry.id);
}

/** Whether the log has the beginning of an export by the user of their own data under this id. */
export async function isExportOf(
  database: PrismaClient,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const where = { id: uuidOf(id), act: 'data_exported', actorId: userId, subjectId: userId };
  return (await database.auditEvent.findFirst({ where, select: { id: true } })) !== null;
}
