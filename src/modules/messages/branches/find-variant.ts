/** Finds the user message at which a conversation is to branch, with all that the branching statement must rely on. */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { ThreadStateName } from '../../../contract.js';
import { InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import type { Viewer } from '../../identity/authenticate.js';
import type { ConversationVersion } from '../../threads/unchanged.js';
import { visibleToSql } from '../../threads/visibility.js';
import type { ContentBlock } from '../content.js';

/** The states in which a conversation can branch. Nothing leaves `error` (specification, States, rule 2). */
export const branchingStates: readonly ThreadStateName[] = ['ready', 'interrupted'];

/** A user message and its thread, as of one moment. */
export interface Variant extends ConversationVersion {
  id: string;
  threadId: string;
  /** The oldest variant of the message; null if it is the only one. */
  turnId: string | null;
  authorId: string | null;
  contents: ContentBlock[];
  /** Whether it is part of the active branch, also if a summary has replaced it. */
  isOnBranch: boolean;
  /** The variant of it that the active branch has; null if that has none, or a summary has replaced it. */
  selected: { id: string; sequence: number } | null;
  variants: number;
}

type Row = Variant & { role: string; state: ThreadStateName };

/**
 * Throws a `NotFoundError` if the viewer cannot see the message, an `InvalidInputError` if it is no user message, and a
 * `ThreadNotReadyError` if the thread is in no state in which it can branch.
 */
export async function findVariant(database: PrismaClient, viewer: Viewer, messageId: string): Promise<Variant> {
  const [row] = await database.$queryRaw<Row[]>(variantSql(viewer, messageId));
  if (!row) throw new NotFoundError('message');
  if (row.role !== 'user') throw unusable('must be a message of a person');
  if (!branchingStates.includes(row.state)) throw new ThreadNotReadyError(row.state);
  return row;
}

/** Exported so that a test can check its plan. */
export function variantSql(viewer: Viewer, messageId: string): Prisma.Sql {
  return Prisma.sql`
    SELECT m.id, m.thread_id AS "threadId", m.turn_id AS "turnId", m.author_id AS "authorId", m.role::text AS role, m.contents,
      m.hidden_with_id IS NULL AS "isOnBranch", t.state::text AS state, t.last_sequence AS "lastSequence",
      t.branch_version AS "branchVersion", turn.variants::int AS variants, turn.selected
    FROM message m JOIN thread t ON t.id = m.thread_id CROSS JOIN LATERAL (
      SELECT count(*) AS variants,
        (jsonb_agg(jsonb_build_object('id', v.id, 'sequence', v.sequence)) FILTER (WHERE v.active)) -> 0 AS selected
      FROM (SELECT m.id, m.sequence, m.active WHERE m.turn_id IS NULL
        UNION ALL SELECT v.id, v.sequence, v.active FROM message v WHERE v.turn_id = m.turn_id) v) turn
    WHERE m.id = ${messageId} AND ${visibleToSql(viewer)}`;
}

export function unusable(message: string): InvalidInputError {
  return new InvalidInputError([{ field: 'messageId', message }]);
}
