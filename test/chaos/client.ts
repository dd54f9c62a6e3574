/**
 * A client as docs/streaming.md describes it: it retries only what it may, follows each response to its end, and writes down what
 * it asked and what it was told. Some responses it follows with two viewers, one of whom leaves and comes back.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Asking, ask } from './ask.js';
import { goBack, type Meddling, meddle, type Rewriting, rewrite } from './mutations.js';
import { differences, Viewer } from './viewer.js';

export interface SendRecord {
  nonce: string;
  /** `unknown`: the answer was lost, so the message may be there or not. */
  outcome: 'accepted' | 'refused' | 'unknown';
  threadId?: string;
  messageId?: string;
  /** Text of the stream that ended with `done`, or undefined. */
  streamed?: string;
  /** How the stream ended. */
  end?: 'done' | 'error';
  viewers: number;
  /** What was wrong with what this client was told. */
  complaints: { rule: 'answers' | 'read after done' | 'viewers'; text: string }[];
}

export interface ClientOptions extends Asking, Meddling, Rewriting {
  signal: AbortSignal;
  history: SendRecord[];
}

const sendLimitMs = 90_000;

/** Clients that talk until they are told to stop. */
export function startClients(
  asking: Asking & Meddling & Rewriting,
  count: number,
): { history: SendRecord[]; stop: () => Promise<void> } {
  const history: SendRecord[] = [];
  const end = new AbortController();
  const clients = Promise.all(
    Array.from({ length: count }, () => runClient({ ...asking, signal: end.signal, history })),
  );
  const stop = async () => {
    end.abort();
    await clients;
  };
  return { history, stop };
}

/** Talks in threads of a few turns until the signal aborts. */
async function runClient(options: ClientOptions): Promise<void> {
  while (!options.signal.aborted) {
    let threadId: string | undefined;
    for (let turn = 0; turn < 4 && !options.signal.aborted; turn += 1) {
      const record = await send(options, threadId);
      if (record.outcome !== 'accepted') break;
      threadId = record.threadId;
      const [, newer] = await Promise.all([follow(options, record), meddle(options, record)]);
      if (newer) options.history.push(newer);
      if (newer?.outcome === 'accepted') await follow(options, newer);
      const last = await rewritten(options, newer ?? record);
      if (last.end !== 'done') break;
      threadId = last.threadId;
    }
    await sleep(20);
  }
}

/** The record of what the thread, or the one that continues it, ends with after people have changed their minds. */
async function rewritten(options: ClientOptions, record: SendRecord): Promise<SendRecord> {
  const newer = await rewrite(options, record);
  if (!newer) return record;
  options.history.push(newer);
  if (newer.outcome !== 'accepted') return newer;
  await follow(options, newer);
  if (record.end === 'done') await goBack(options, newer, record);
  return newer;
}

async function send(options: ClientOptions, threadId: string | undefined): Promise<SendRecord> {
  const record: SendRecord = { nonce: randomUUID(), outcome: 'unknown', viewers: 0, complaints: [] };
  options.history.push(record);
  const path = threadId ? `/threads/${threadId}/messages` : '/threads';
  const key = randomUUID();
  const complain = (text: string) => record.complaints.push({ rule: 'answers', text });
  const untilMs = performance.now() + sendLimitMs;
  while (performance.now() < untilMs) {
    const reply = await ask(options, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ text: record.nonce }),
    });
    if (reply?.status === 201) {
      const body = (await reply.json()) as { thread_id?: string; message_id: string };
      Object.assign(record, { outcome: 'accepted', threadId: body.thread_id ?? threadId, messageId: body.message_id });
      return record;
    }
    if (reply && reply.status < 500) {
      record.outcome = 'refused';
      if (reply.status !== 409) complain(`send → ${reply.status} ${await reply.text()}`);
      else if (threadId) complain('409 although the last response was done');
      return record;
    }
    await sleep(50 + options.random() * 200);
  }
  return record;
}

async function follow(options: ClientOptions, record: SendRecord): Promise<void> {
  const { threadId = '', messageId = '' } = record;
  const viewer = new Viewer({ ...options, threadId, messageId, isRestless: false });
  const viewers = [viewer];
  if (options.random() < 0.5) viewers.push(new Viewer({ ...options, threadId, messageId, isRestless: true }));
  await Promise.all(viewers.map((one) => one.watch()));
  const told = viewers.flatMap(({ complaints }) => complaints);
  const unlike = viewers.slice(1).flatMap((other) => differences(viewer, other));
  for (const text of [...told, ...unlike]) record.complaints.push({ rule: 'viewers', text });
  record.viewers = viewers.length;
  if (viewer.end) record.end = viewer.end;
  if (viewer.end !== 'done') return;
  record.streamed = viewer.text;
  const poll = await ask(options, `/threads/${threadId}/messages/${messageId}/response`, {});
  if (poll && poll.status < 500 && poll.status !== 200)
    record.complaints.push({ rule: 'read after done', text: `poll after done → ${poll.status}` });
}
