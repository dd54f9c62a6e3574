/**
 * Claims waiting threads in turns and within shares. Organizations take turns, and the users within each: first those with the
 * fewest running responses in the whole cluster, then those served longest ago, then those who have waited longest. A worker
 * never runs more responses of one user or organization than their share, even while nobody else waits: a slow response cannot
 * be evicted, so a slot must be kept free for the next user. The user is the owner of the thread.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import {
  type ClaimedResponse,
  type ClaimedResponseRow,
  claimedColumns,
  fromNow,
  inTime,
  toClaimedResponse,
  type Worker,
} from './claimed-response.js';

/** How many slots of one worker may run responses of the same user, and of the same organization. */
export interface ResponseShares {
  perUser: number;
  perOrganization: number;
}

/** A worker that claims. Without shares it claims any waiting thread; `served` records who was served last. */
export interface Claimer extends Worker {
  shares?: ResponseShares;
  served?: ServedTurns;
}

/** Who was served last, the latest at the end. Bounded: long ago counts as never. */
export class ServedTurns {
  readonly owners = new Set<string>();
  readonly organizations = new Set<number>();

  add({ ownerId, organizationId }: { ownerId: string; organizationId: number }): void {
    moveToEnd(this.owners, ownerId);
    moveToEnd(this.organizations, organizationId);
  }
}

const mostServed = 1000;

function moveToEnd<Value>(values: Set<Value>, value: Value): void {
  values.delete(value);
  values.add(value);
  const [oldest] = values;
  if (values.size > mostServed && oldest !== undefined) values.delete(oldest);
}

/** Candidates beyond the free slots, in case other workers claim the same threads concurrently. */
const spare = 100;

/**
 * Claims up to `slots` waiting threads. Concurrent workers never claim the same one, and a thread whose queued response is
 * newer than the statement waits for the next claim.
 */
export async function claim(database: PrismaClient, worker: Claimer, slots: number): Promise<ClaimedResponse[]> {
  const rows = await database.$queryRaw<ClaimedRow[]>(claimSql(worker, slots));
  return rows.map(({ ownerId, organizationId, ...row }) => {
    worker.served?.add({ ownerId, organizationId });
    return toClaimedResponse(row);
  });
}

type ClaimedRow = ClaimedResponseRow & { ownerId: string; organizationId: number };

/** Exported so that a test can check its plan. */
export function claimSql(worker: Claimer, slots: number): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE ${candidatesSql(worker, slots)},
    held AS (
      SELECT t.id AS thread_id, r.message_id, t.owner_id, t.organization_id
      FROM picked JOIN thread t ON t.id = picked.id JOIN response r ON r.thread_id = t.id
      WHERE t.state = 'waiting' AND r.status = 'queued' AND ${inTime(worker)}
      ORDER BY picked.organization_place, picked.organization_turn NULLS FIRST, picked.queued_at
      LIMIT ${slots} FOR UPDATE OF t, r SKIP LOCKED),
    started AS (
      UPDATE thread t SET state = 'active', queued_at = NULL, epoch = t.epoch + 1
      FROM held WHERE t.id = held.thread_id RETURNING t.epoch, held.message_id, held.owner_id, held.organization_id)
    UPDATE response r SET status = 'running', attempt = r.attempt + 1, epoch = started.epoch, worker_id = ${worker.id},
      lease_until = ${fromNow(worker.lease.leaseMs)}, started_at = clock_timestamp(),
      deadline_at = ${fromNow(worker.lease.deadlineMs)}
    FROM started WHERE r.message_id = started.message_id
    RETURNING ${claimedColumns}, started.owner_id AS "ownerId", started.organization_id AS "organizationId"`;
}

/**
 * How many responses of each user are running, in the whole cluster and here, at the worker. `LIMIT` makes PostgreSQL look up each
 * thread by its key; for a plain join it may read all threads.
 */
export function runningSql(workerId: string): Prisma.Sql {
  return Prisma.sql`
      SELECT t.owner_id, t.organization_id, count(*) AS everywhere, count(*) FILTER (WHERE r.worker_id = ${workerId}) AS here
      FROM response r CROSS JOIN LATERAL (SELECT owner_id, organization_id FROM thread WHERE id = r.thread_id LIMIT 1) t
      WHERE r.status = 'running' GROUP BY t.owner_id, t.organization_id`;
}

/**
 * `picked`: the threads whose turn it is, a few more than there are slots. Nothing is locked yet. Owners are compared with `>=`
 * and `<=`, because with `=` the planner may choose the index of all waiting threads and read past those of other users.
 */
function candidatesSql({ id, shares, served }: Claimer, slots: number): Prisma.Sql {
  const most = slots + spare;
  const { perUser, perOrganization } = shares ?? { perUser: most, perOrganization: most };
  return Prisma.sql`
    waiting_owner AS (
      (SELECT owner_id, organization_id FROM thread WHERE state = 'waiting' ORDER BY owner_id LIMIT 1)
      UNION ALL
      SELECT further.owner_id, further.organization_id FROM waiting_owner before, LATERAL (
        SELECT t.owner_id, t.organization_id FROM thread t WHERE t.state = 'waiting' AND t.owner_id > before.owner_id
        ORDER BY t.owner_id LIMIT 1) further),
    running AS MATERIALIZED (${runningSql(id)}),
    candidate AS (
      SELECT first.id, first.queued_at, o.organization_id, served.turn AS user_turn,
        coalesce(running.everywhere, 0) + first.place AS user_place
      FROM waiting_owner o LEFT JOIN running ON running.owner_id = o.owner_id
      LEFT JOIN unnest(${[...(served?.owners ?? [])]}::text[]) WITH ORDINALITY AS served (id, turn) ON served.id = o.owner_id
      CROSS JOIN LATERAL (
        SELECT t.id, t.queued_at, row_number() OVER (ORDER BY t.owner_id, t.queued_at) AS place FROM thread t
        WHERE t.state = 'waiting' AND t.owner_id >= o.owner_id AND t.owner_id <= o.owner_id ORDER BY t.owner_id, t.queued_at
        LIMIT greatest(0, least(${most}::bigint, ${perUser}::bigint - coalesce(running.here, 0)))) first),
    organization AS (
      SELECT organization_id, sum(everywhere) AS everywhere, sum(here) AS here FROM running GROUP BY organization_id),
    placed AS (
      SELECT c.id, c.queued_at, c.organization_id, row_number() OVER (
        PARTITION BY c.organization_id ORDER BY c.user_place, c.user_turn NULLS FIRST, c.queued_at) AS place
      FROM candidate c),
    picked AS MATERIALIZED (
      SELECT p.id, p.queued_at, served.turn AS organization_turn,
        coalesce(organization.everywhere, 0) + p.place AS organization_place
      FROM placed p LEFT JOIN organization ON organization.organization_id = p.organization_id
      LEFT JOIN unnest(${[...(served?.organizations ?? [])]}::int[]) WITH ORDINALITY AS served (id, turn)
        ON served.id = p.organization_id
      WHERE coalesce(organization.here, 0) + p.place <= ${perOrganization}
      ORDER BY organization_place, organization_turn NULLS FIRST, p.queued_at LIMIT ${most})`;
}
