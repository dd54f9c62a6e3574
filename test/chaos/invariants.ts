/** What the database must show after a run. Each check gives a sentence for each place where it does not. */
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { type ContentBlock, textOf } from '../../src/modules/messages/content.js';
import type { SendRecord } from './client.js';
import { isBeginningOfAnswer, isWholeAnswer } from './model.js';

export interface Run {
  database: PrismaClient;
  history: readonly SendRecord[];
}

export async function everySendIsStoredAsTold({ database, history }: Run): Promise<string[]> {
  const rows = await database.message.findMany({ where: { role: 'user' }, select: { id: true, contents: true } });
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const nonce = textOf(row.contents as unknown as ContentBlock[]);
    found.set(nonce, [...(found.get(nonce) ?? []), row.id]);
  }
  return history.flatMap(({ nonce, outcome, messageId }) => {
    const ids = found.get(nonce) ?? [];
    if (outcome === 'accepted' && ids.join() !== messageId)
      return [`${nonce}: accepted as ${messageId}, stored as ${ids}`];
    if (outcome === 'refused' && ids.length > 0) return [`${nonce}: refused, but stored as ${ids}`];
    return ids.length > 1 ? [`${nonce}: stored ${ids.length} times`] : [];
  });
}

/** The states of threads and of their responses agree. */
export async function noImpossiblePair({ database }: Run): Promise<string[]> {
  const pairs = await database.$queryRaw<{ threadId: string; state: string; status: string | null }[]>`
    SELECT thread_id AS "threadId", state::text, status::text FROM impossible_pair`;
  return pairs.map(({ threadId, state, status }) => `${threadId}: ${state} with a live response that is ${status}`);
}

/** Of the events of a thread: each `queued` comes after the end of the one before. */
export async function atMostOneLiveResponse({ database }: Run): Promise<string[]> {
  const rows = await database.$queryRaw<{ threadId: string; live: number }[]>`
    SELECT thread_id AS "threadId", max(live)::int AS live FROM (
      SELECT thread_id, sum(CASE WHEN what = 'queued' THEN 1 WHEN what IN ('succeeded', 'failed', 'interrupted') THEN -1 ELSE 0 END)
        OVER (PARTITION BY thread_id ORDER BY id) AS live FROM thread_event) running
    GROUP BY thread_id HAVING max(live) > 1 OR min(live) < 0`;
  return rows.map(({ threadId, live }) => `${threadId}: ${live} at a time`);
}

export async function everyResponseEnds({ database }: Run): Promise<string[]> {
  const live = await database.response.findMany({ where: { status: { in: ['queued', 'running'] } } });
  const stuck = await database.thread.findMany({
    where: { state: { in: ['waiting', 'active'] } },
    select: { id: true, state: true },
  });
  const again = await database.$queryRaw<{ messageId: string; ends: number }[]>`
    SELECT message_id AS "messageId", count(*)::int AS ends FROM thread_event
    WHERE what IN ('succeeded', 'failed', 'interrupted') GROUP BY message_id HAVING count(*) > 1`;
  return [
    ...live.map((response) => `${response.messageId}: still ${response.status}`),
    ...stuck.map((thread) => `${thread.id}: still ${thread.state}`),
    ...again.map(({ messageId, ends }) => `${messageId}: ended ${ends} times`),
  ];
}

export async function everyAnswerIsOfOneAttempt({ database }: Run): Promise<string[]> {
  const responses = await database.response.findMany({
    where: { status: { in: ['succeeded', 'failed', 'interrupted'] } },
    select: { messageId: true, status: true, message: { select: { answers: { select: { contents: true } } } } },
  });
  return responses.flatMap(({ messageId, status, message }) => {
    const text = message.answers.map((answer) => textOf(answer.contents as unknown as ContentBlock[])).join('|');
    const isRight = status === 'succeeded' ? isWholeAnswer(text) : isBeginningOfAnswer(text);
    return isRight ? [] : [`${messageId}: ${status} with "${text}"`];
  });
}

/** Queued, started, any number of takeovers and restarts, one end. */
export async function everyPathIsLegal({ database }: Run): Promise<string[]> {
  const paths = await database.$queryRaw<{ messageId: string; path: string }[]>`
    SELECT message_id AS "messageId", string_agg(what, ' ' ORDER BY id) AS path
    FROM thread_event WHERE message_id IS NOT NULL GROUP BY message_id`;
  const legal = /^queued( started( taken_over| restarted)*)? (succeeded|failed|interrupted)$/;
  return paths.filter(({ path }) => !legal.test(path)).map(({ messageId, path }) => `${messageId}: ${path}`);
}

/** Across all responses of a thread: an attempt has a greater epoch than all before it, and an end has no smaller one. */
export async function epochsGrow({ database }: Run): Promise<string[]> {
  const events = await database.$queryRaw<{ threadId: string; what: string; epoch: number; before: number }[]>`
    SELECT * FROM (
      SELECT thread_id AS "threadId", what, epoch::int AS epoch,
        coalesce(max(epoch) OVER (PARTITION BY thread_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::int AS before
      FROM thread_event WHERE what <> 'queued') events
    WHERE epoch < before OR (epoch = before AND what IN ('started', 'taken_over', 'restarted'))`;
  return events.map(({ threadId, what, epoch, before }) => `${threadId}: ${what} with epoch ${epoch} after ${before}`);
}

export async function everyStreamIsTheStoredText({ database, history }: Run): Promise<string[]> {
  const answers = await database.message.findMany({
    where: { role: 'assistant' },
    select: { replyToId: true, contents: true },
  });
  const stored = new Map(answers.map((row) => [row.replyToId, textOf(row.contents as unknown as ContentBlock[])]));
  return history.flatMap(({ messageId, streamed, end }) =>
    end === 'done' && stored.get(messageId ?? '') !== streamed
      ? [`${messageId}: streamed "${streamed}", stored "${stored.get(messageId ?? '')}"`]
      : [],
  );
}
