/**
 * A client as the README asks for one: it retries only what it may, resumes its stream until it has seen `done` or `error`,
 * on whichever node answers, and writes down what it asked and what it was told.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { joinTokens, type ReceivedEvent, readEvents } from '../support/sse.js';

export interface SendRecord {
  nonce: string;
  /** `unknown`: the answer was lost, so the message may be there or not. */
  outcome: 'accepted' | 'refused' | 'unknown';
  threadId?: string;
  messageId?: string;
  /** Text of the stream that ended with `done`, or undefined. */
  streamed?: string;
  /** How the last stream ended. */
  end?: 'done' | 'error';
  /** What was wrong with what this client was told. */
  complaints: string[];
}

export interface ClientOptions {
  token: string;
  urls: () => string[];
  random: () => number;
  signal: AbortSignal;
  history: SendRecord[];
}

/** Talks in threads of a few turns until the signal aborts. */
export async function runClient(options: ClientOptions): Promise<void> {
  while (!options.signal.aborted) {
    let threadId: string | undefined;
    for (let turn = 0; turn < 4 && !options.signal.aborted; turn += 1) {
      const record = await send(options, threadId);
      if (record.outcome !== 'accepted') break;
      threadId = record.threadId;
      await follow(options, record);
      if (record.end !== 'done') break;
    }
    await sleep(20);
  }
}

async function send(options: ClientOptions, threadId: string | undefined): Promise<SendRecord> {
  const record: SendRecord = { nonce: randomUUID(), outcome: 'unknown', complaints: [] };
  options.history.push(record);
  const path = threadId ? `/threads/${threadId}/messages` : '/threads';
  const key = randomUUID();
  for (let tries = 0; tries < 60; tries += 1) {
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
      if (reply.status !== 409) record.complaints.push(`send → ${reply.status} ${await reply.text()}`);
      else if (threadId) record.complaints.push('409 although the last response was done');
      return record;
    }
    await sleep(50 + options.random() * 200);
  }
  return record;
}

async function follow(options: ClientOptions, record: SendRecord): Promise<void> {
  const path = `/threads/${record.threadId}/messages/${record.messageId}/response`;
  let events: ReceivedEvent[] = [];
  let lastId: string | undefined;
  const deadlineMs = performance.now() + 90_000;
  while (record.end === undefined && performance.now() < deadlineMs) {
    const headers: Record<string, string> = lastId ? { 'last-event-id': lastId } : {};
    const response = await ask(options, `${path}/stream`, { headers });
    if (response?.status !== 200 || !response.body) {
      await sleep(50 + options.random() * 200);
      continue;
    }
    try {
      for await (const event of readEvents(response.body)) {
        lastId = event.id ?? lastId;
        if (event.event === 'error' && !lastId?.endsWith('-end')) events = [];
        else if (event.event === 'token') events.push(event);
        else record.end = event.event === 'done' ? 'done' : 'error';
      }
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }
  if (record.end === undefined) record.complaints.push('the stream neither ended with done nor with error in 90 s');
  if (record.end === 'done') {
    record.streamed = joinTokens(events);
    const poll = await ask(options, path, {});
    if (poll && poll.status < 500 && poll.status !== 200) record.complaints.push(`poll after done → ${poll.status}`);
  }
}

/** Undefined where no answer came. */
async function ask(
  { urls, token, random }: ClientOptions,
  path: string,
  init: RequestInit,
): Promise<Response | undefined> {
  const nodes = urls();
  const url = nodes[Math.floor(random() * nodes.length)];
  if (!url) return undefined;
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
  try {
    return await fetch(`${url}/api/v1${path}`, { ...init, headers, signal: AbortSignal.timeout(20_000) });
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
}

/** True where the connection broke or said nothing for too long: what a client answers by asking again. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}
