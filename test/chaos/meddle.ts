/** What impatient clients do while a response is under way: they stop it, or send another message in its place. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Asking, ask } from './ask.js';
import type { SendRecord } from './client.js';

export interface Meddling {
  /** Share of the responses that are stopped, and again of those that another message interrupts; none by default. */
  meddlingRate?: number;
}

const limitMs = 90_000;
const latestMs = 2000;

const stop = `mutation ($id: ID!) { outcome: stopResponse(messageId: $id) { __typename ... on Error { code } } }`;
const send = `mutation ($input: SendMessageInput!) { outcome: sendMessage(input: $input) {
  __typename ... on PostedMessage { messageId } ... on Error { code } } }`;

interface Outcome {
  __typename: string;
  messageId?: string;
}

/** At times stops the response of a record, or interrupts it; then gives the record of the newer message. */
export async function meddle(options: Asking & Meddling, record: SendRecord): Promise<SendRecord | undefined> {
  const { random, meddlingRate = 0 } = options;
  const chance = random();
  if (chance >= 2 * meddlingRate) return undefined;
  await sleep(random() * latestMs);
  if (chance < meddlingRate) {
    await mutate(options, record, { query: stop, variables: { id: record.messageId } });
    return undefined;
  }
  return interrupt(options, record);
}

async function interrupt(options: Asking, { threadId }: SendRecord): Promise<SendRecord> {
  const record: SendRecord = { nonce: randomUUID(), outcome: 'unknown', viewers: 0, complaints: [] };
  const input = { threadId, text: record.nonce, onBusy: 'INTERRUPT', idempotencyKey: randomUUID() };
  const outcome = await mutate(options, record, { query: send, variables: { input } });
  if (outcome?.__typename === 'PostedMessage')
    return Object.assign(record, { outcome: 'accepted', threadId, messageId: outcome.messageId });
  if (outcome) record.outcome = 'refused';
  return record;
}

/** What the mutation came to, asked for until there is an answer; undefined where there is none in time. */
async function mutate(options: Asking, record: SendRecord, body: object): Promise<Outcome | undefined> {
  const headers = { 'content-type': 'application/json' };
  const untilMs = performance.now() + limitMs;
  while (performance.now() < untilMs) {
    const reply = await ask(options, '/graphql', { method: 'POST', headers, body: JSON.stringify(body) }, '');
    const text = (await reply?.text().catch(() => undefined)) ?? '';
    if (reply?.status === 200) {
      const { data } = JSON.parse(text) as { data?: { outcome: Outcome | null } | null };
      if (data?.outcome) return data.outcome;
    } else if (reply && reply.status < 500) {
      record.complaints.push({ rule: 'answers', text: `mutation → ${reply.status} ${text}` });
      return undefined;
    }
    await sleep(50 + options.random() * 200);
  }
  return undefined;
}
