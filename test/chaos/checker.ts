/** What must hold after any run, whatever was broken in it. Each rule gives the sentences that say how it was broken. */
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { type ContentBlock, textOf } from '../../src/modules/messages/content.js';
import type { SendRecord } from './client.js';
import { isWholeAnswer } from './model.js';

export interface Figures {
  accepted: number;
  answered: number;
  failed: number;
  refused: number;
  unknown: number;
  takeovers: number;
  restarts: number;
}

/** The broken rules, and the figures of the run. */
export async function checkRun(
  database: PrismaClient,
  history: readonly SendRecord[],
): Promise<{ broken: string[]; figures: Figures }> {
  const accepted = history.filter((record) => record.outcome === 'accepted');
  const broken = [
    ...history.flatMap(({ nonce, complaints }) => complaints.map((complaint) => `${nonce}: ${complaint}`)),
    ...(await everyAcceptedMessageExistsOnce(database, history)),
    ...(await everyResponseIsFinal(database)),
    ...(await everyAnswerIsWhole(database)),
    ...(await everyStreamIsTheStoredText(database, accepted)),
    ...(await everyPathIsLegal(database)),
  ];
  return { broken, figures: await figuresOf(database, history) };
}

async function everyAcceptedMessageExistsOnce(
  database: PrismaClient,
  history: readonly SendRecord[],
): Promise<string[]> {
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

async function everyResponseIsFinal(database: PrismaClient): Promise<string[]> {
  const live = await database.response.findMany({ where: { status: { in: ['queued', 'running'] } } });
  const stuck = await database.thread.findMany({
    where: { state: { in: ['waiting', 'active'] } },
    select: { id: true, state: true },
  });
  return [
    ...live.map((response) => `${response.messageId}: still ${response.status}`),
    ...stuck.map((thread) => `${thread.id}: still ${thread.state}`),
  ];
}

async function everyAnswerIsWhole(database: PrismaClient): Promise<string[]> {
  const responses = await database.response.findMany({
    where: { status: 'succeeded' },
    select: { messageId: true, message: { select: { answers: { select: { contents: true } } } } },
  });
  return responses.flatMap(({ messageId, message }) => {
    const text = message.answers.map((answer) => textOf(answer.contents as unknown as ContentBlock[])).join('|');
    return isWholeAnswer(text) ? [] : [`${messageId}: succeeded with "${text}"`];
  });
}

async function everyStreamIsTheStoredText(database: PrismaClient, accepted: readonly SendRecord[]): Promise<string[]> {
  const answers = await database.message.findMany({
    where: { role: 'assistant' },
    select: { replyToId: true, contents: true },
  });
  const stored = new Map(answers.map((row) => [row.replyToId, textOf(row.contents as unknown as ContentBlock[])]));
  return accepted.flatMap(({ messageId, streamed, end }) =>
    end === 'done' && stored.get(messageId ?? '') !== streamed
      ? [`${messageId}: streamed "${streamed}", stored "${stored.get(messageId ?? '')}"`]
      : [],
  );
}

/** Of each response: queued, started, any number of takeovers and restarts, one end; epochs never fall. */
async function everyPathIsLegal(database: PrismaClient): Promise<string[]> {
  const paths = await database.$queryRaw<{ messageId: string; path: string; grows: boolean }[]>`
    SELECT message_id AS "messageId", string_agg(what, ' ' ORDER BY id) AS path,
      bool_and(epoch >= coalesce(before, 0)) AS grows
    FROM (SELECT *, lag(CASE what WHEN 'queued' THEN 0 ELSE epoch END) OVER (PARTITION BY message_id ORDER BY id) AS before FROM thread_event) events
    WHERE message_id IS NOT NULL GROUP BY message_id`;
  const legal = /^queued( started( taken_over| restarted)*)? (succeeded|failed|interrupted)$/;
  return paths.flatMap(({ messageId, path, grows }) => [
    ...(legal.test(path) ? [] : [`${messageId}: ${path}`]),
    ...(grows ? [] : [`${messageId}: its epochs fall`]),
  ]);
}

async function figuresOf(database: PrismaClient, history: readonly SendRecord[]): Promise<Figures> {
  const count = (outcome: SendRecord['outcome']) => history.filter((record) => record.outcome === outcome).length;
  const [events] = await database.$queryRaw<{ takeovers: number; restarts: number }[]>`
    SELECT count(*) FILTER (WHERE what = 'taken_over')::int AS takeovers,
      count(*) FILTER (WHERE what = 'restarted')::int AS restarts FROM thread_event`;
  return {
    accepted: count('accepted'),
    answered: await database.response.count({ where: { status: 'succeeded' } }),
    failed: await database.response.count({ where: { status: 'failed' } }),
    refused: count('refused'),
    unknown: count('unknown'),
    takeovers: events?.takeovers ?? 0,
    restarts: events?.restarts ?? 0,
  };
}
