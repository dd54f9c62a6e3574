/**
 * One outage from its beginning to the time when everything is well again, with responses in their middle and callers who go
 * on asking; and what must be true of every outage of the database, whatever it was. How long anything took is looked at in
 * `stress`; elsewhere, limits are for what hangs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { pollOf, stateOf, textsOf } from '../../modules/viewing/response-facts.js';
import { isStress } from '../../support/case-counts.js';
import { runSql } from '../../support/server.js';
import type { Begun, OutageStage } from './outage-stage.js';
import { RequestWatch, type WatchedAnswer } from './request-watch.js';

export interface Outage {
  name: string;
  begin: () => Promise<void>;
  end: () => Promise<void>;
  /** How long it lasts after its beginning. Zero where the service itself ends it at once: then nobody may have noticed. */
  lastsMs: number;
}

const hangingMs = 60_000;
/** Within this time after the end of an outage every node is ready again, and listens again. */
const readyWithinMs = isStress ? 15_000 : hangingMs;
/** What nobody may wait longer for: of a frozen server, a post asks twice, and each answer has 6 s. */
const longestAnswerMs = 13_000;
/** A balancer gives up soon. */
const longestReadyzMs = 2_500;
/** On a busy machine the monitor may not have had an answer by the end of the outage: then that comes later. */
const patienceMs = isStress ? longestReadyzMs : hangingMs;

/** Suffers the outage and checks what it did. Prints one line of figures. */
export async function sufferOutage(stage: OutageStage, outage: Outage): Promise<void> {
  const { urls, token } = stage.options;
  const begun = await beginResponses(stage);
  const watch = new RequestWatch(urls, token);
  try {
    await vi.waitFor(() => expect(watch.posts.length).toBeGreaterThanOrEqual(urls.length), { timeout: hangingMs });
    const times = await breakAndMend(stage, watch, outage);
    const newsAfterMs = await expectNews(stage, begun);
    await watch.stop();
    console.log(outage.name, JSON.stringify({ ...figuresOf(watch, times), newsAfterMs }));
    expectAnswers(watch);
    if (outage.lastsMs > 0) expect(warnings(watch, times), 'word of it from /readyz').not.toEqual([]);
    await expectWhole(stage, [...begun.meanwhile, ...begun.afterwards]);
    await expectOnce(stage, watch);
  } finally {
    await watch.abandon();
  }
}

/** Monotonic times of one outage. */
interface OutageTimes {
  beganMs: number;
  /** It was there. */
  brokenMs: number;
  /** Its end began. */
  endsMs: number;
  endedMs: number;
  readyMs: number;
}

async function breakAndMend(stage: OutageStage, watch: RequestWatch, outage: Outage): Promise<OutageTimes> {
  const beganMs = performance.now();
  await outage.begin();
  const brokenMs = performance.now();
  await sleep(outage.lastsMs / 2);
  stage.gates.meanwhile.open();
  await sleep(outage.lastsMs / 2);
  const patientUntilMs = performance.now() + (outage.lastsMs > 0 ? patienceMs : 0);
  while (performance.now() < patientUntilMs && warnings(watch, { brokenMs }).length === 0) await sleep(50);
  const endsMs = performance.now();
  await outage.end();
  const endedMs = performance.now();
  await readyAgain(stage.options.urls);
  return { beganMs, brokenMs, endsMs, endedMs, readyMs: performance.now() };
}

/** The answers of /readyz with status 503 during the outage. */
function warnings(
  watch: RequestWatch,
  { brokenMs, endsMs = Number.POSITIVE_INFINITY }: Pick<OutageTimes, 'brokenMs'> & Partial<OutageTimes>,
): WatchedAnswer[] {
  return watch.between(brokenMs, endsMs).filter(({ what, status }) => what === 'readyz' && status === 503);
}

interface BegunResponses {
  meanwhile: Begun[];
  afterwards: Begun[];
}

async function beginResponses(stage: OutageStage): Promise<BegunResponses> {
  const begin = (name: keyof BegunResponses) => Promise.all([0, 1, 2].map((index) => stage.begin(name, index)));
  return { meanwhile: await begin('meanwhile'), afterwards: await begin('afterwards') };
}

async function readyAgain(urls: readonly string[]): Promise<void> {
  const look = async () => {
    const answers = await Promise.all(urls.map((url) => fetch(`${url}/readyz`)));
    expect(answers.map(({ status }) => status)).toEqual(urls.map(() => 200));
  };
  await vi.waitFor(look, { timeout: readyWithinMs, interval: 25 });
}

/** Every node listens again, everything that was held back comes, and the threads go on. How long news takes, in milliseconds. */
async function expectNews(stage: OutageStage, { meanwhile, afterwards }: BegunResponses): Promise<number> {
  const viewersOf = (begun: readonly Begun[]) =>
    Promise.all(begun.flatMap(({ viewers }) => viewers).map(({ seen }) => seen));
  expectDone(await viewersOf(meanwhile));
  await vi.waitFor(async () => expect(await listeners(stage)).toBe(stage.clients.length), { timeout: readyWithinMs });
  const openedMs = performance.now();
  stage.gates.afterwards.open();
  const seen = await viewersOf(afterwards);
  expectDone(seen);
  const newsAfterMs = Math.round(Math.max(...seen.map(({ endedMs }) => endedMs)) - openedMs);
  for (const [index, { sent }] of [...meanwhile, ...afterwards].entries()) {
    const next = await stage.client(index + 1).send(sent.threadId, 'and now?');
    await stage.client(index).answer(next);
  }
  return newsAfterMs;
}

function expectDone(seen: readonly { text: string; end: string | undefined }[]): void {
  expect(seen.map(({ text, end }) => [text, end])).toEqual(seen.map(() => ['Hello', 'done']));
}

async function listeners(stage: OutageStage): Promise<number> {
  const query = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'skein listen' AND state = 'idle'`;
  return (await runSql(stage.options.databaseUrl, query)).length;
}

function expectAnswers({ answers }: RequestWatch): void {
  const wrong = answers.filter(({ what, status, retryAfter, tookMs, heldMs }) => {
    const limitMs = (what === 'readyz' ? longestReadyzMs : longestAnswerMs) + heldMs;
    if (isStress && tookMs > limitMs) return true;
    if (what === 'readyz') return status !== 200 && status !== 503;
    const isRefused = status === 503 && retryAfter === '1';
    return !isRefused && status !== (what === 'read' ? 200 : 201);
  });
  expect(wrong, 'answers that are neither right nor 503 with Retry-After, or, in `stress`, that took too long').toEqual(
    [],
  );
}

async function expectWhole(stage: OutageStage, begun: readonly Begun[]): Promise<void> {
  const client = stage.client(0);
  for (const { sent } of begun) {
    expect([await stateOf(client, sent), await pollOf(client, sent)]).toEqual(['ready', [200, undefined]]);
    expect((await textsOf(client, sent)).slice(0, 2)).toEqual([expect.stringMatching(/^user: /), 'assistant: Hello']);
  }
  const odd = await runSql(
    stage.options.databaseUrl,
    // What callers posted when it began may have been claimed by a statement whose answer was lost: others take that over.
    `SELECT what, message_id FROM thread_event e JOIN message m ON m.id = message_id
     WHERE what NOT IN ('queued', 'started', 'succeeded') AND m.contents -> 0 ->> 'text' NOT LIKE 'new %'`,
  );
  expect(odd, 'takeovers, restarts and failures').toEqual([]);
}

/** Each message that a caller insisted on was stored once, and is answered once. */
async function expectOnce(stage: OutageStage, { posts, mark }: RequestWatch): Promise<void> {
  const { databaseUrl } = stage.options;
  const unfinished = () => runSql(databaseUrl, `SELECT message_id FROM response WHERE status <> 'succeeded'`);
  await vi.waitFor(async () => expect(await unfinished()).toEqual([]), { timeout: hangingMs });
  const stored = (await runSql(
    databaseUrl,
    `SELECT contents -> 0 ->> 'text' AS text, id, (SELECT count(*)::int FROM message a WHERE a.reply_to_id = m.id) AS answers
     FROM message m WHERE role = 'user' AND contents -> 0 ->> 'text' LIKE '${mark} %'`,
  )) as { text: string; id: string; answers: number }[];
  const byText = (one: { text: string }, other: { text: string }) => one.text.localeCompare(other.text);
  const expected = posts.map(({ text, messageId }) => ({ text, id: messageId, answers: 1 }));
  expect(stored.sort(byText)).toEqual(expected.sort(byText));
}

function figuresOf(watch: RequestWatch, { beganMs, endedMs, readyMs }: OutageTimes): Record<string, number> {
  const answers = watch.between(beganMs, readyMs);
  const slowest = (...kinds: WatchedAnswer['what'][]) =>
    Math.round(Math.max(0, ...answers.filter(({ what }) => kinds.includes(what)).map(({ tookMs }) => tookMs)));
  return {
    heldMs: Math.round(watch.heldMs),
    readyAfterMs: Math.round(readyMs - endedMs),
    slowestReadyzMs: slowest('readyz'),
    slowestAnswerMs: slowest('read', 'post'),
    asked: answers.length,
    refused: answers.filter(({ status }) => status === 503).length,
  };
}
