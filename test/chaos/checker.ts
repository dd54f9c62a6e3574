/**
 * What must hold after any run, whatever was broken in it: the invariants by name, each with the sentences that say how it was
 * broken; each check gives one for each place where the database does not show what it must. What is to be seen of the processes
 * themselves is in `node-health.ts`.
 */
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { type ContentBlock, textOf } from '../../src/modules/messages/content.js';
import type { SendRecord } from './client.js';
import { isBeginningOfAnswer, isWholeAnswer } from './model.js';

export interface Figures {
  accepted: number;
  /** Responses with exactly one assistant message. */
  answeredOnce: number;
  failed: number;
  /** Stopped, or replaced by a newer message. */
  interrupted: number;
  refused: number;
  unknown: number;
  viewers: number;
  takeovers: number;
  restarts: number;
}

type Stored = Pick<Figures, 'answeredOnce' | 'failed' | 'interrupted' | 'takeovers' | 'restarts'>;
type Check = (run: Run) => Promise<string[]>;

const told =
  (rule: SendRecord['complaints'][number]['rule']): Check =>
  async ({ history }) =>
    history.flatMap(({ nonce, complaints }) =>
      complaints.filter((complaint) => complaint.rule === rule).map(({ text }) => `${nonce}: ${text}`),
    );

const invariants: Record<string, Check> = {
  'what was accepted is stored once, what was refused left nothing': everySendIsStoredAsTold,
  'a thread has one live response at most': atMostOneLiveResponse,
  'no thread contradicts its response': noImpossiblePair,
  'every message ends, once': everyResponseEnds,
  'succeeded means one answer, of one attempt': everyAnswerIsOfOneAttempt,
  'the states of a response form a legal path': everyPathIsLegal,
  'the epoch of a thread grows with each attempt': epochsGrow,
  'the tokens of a stream add up to the stored text': everyStreamIsTheStoredText,
  'whoever has seen done never reads less': told('read after done'),
  'two viewers see the same, and a resumed one without gap or repeat': told('viewers'),
  'every request is answered as the contract says': told('answers'),
};

/** The broken invariants, and the figures of the run. */
export async function checkRun(run: Run): Promise<{ broken: string[]; figures: Figures }> {
  const broken: string[] = [];
  for (const [name, check] of Object.entries(invariants)) {
    for (const sentence of await check(run)) broken.push(`${name} › ${sentence}`);
  }
  return { broken, figures: await figuresOf(run) };
}

async function figuresOf({ database, history }: Run): Promise<Figures> {
  const count = (outcome: SendRecord['outcome']) => history.filter((record) => record.outcome === outcome).length;
  const [stored] = await database.$queryRaw<Stored[]>`
    SELECT (SELECT count(*)::int FROM response r WHERE status = 'succeeded'
        AND (SELECT count(*) FROM message m WHERE m.reply_to_id = r.message_id) = 1) AS "answeredOnce",
      (SELECT count(*)::int FROM response WHERE status = 'failed') AS failed,
      (SELECT count(*)::int FROM response WHERE status = 'interrupted') AS interrupted,
      count(*) FILTER (WHERE what = 'taken_over')::int AS takeovers,
      count(*) FILTER (WHERE what = 'restarted')::int AS restarts
    FROM thread_event`;
  return {
    accepted: count('accepted'),
    refused: count('refused'),
    unknown: count('unknown'),
    viewers: history.reduce((sum, { viewers }) => sum + viewers, 0),
    ...(stored ?? { answeredOnce: 0, failed: 0, interrupted: 0, takeovers: 0, restarts: 0 }),
  };
}

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
