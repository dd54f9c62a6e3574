/**
 * What clients do to a response or after it, by mutations: impatient ones stop it, or send another message in its place; others
 * edit their message, go back to what it was, or continue a thread that failed.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Asking, ask } from './ask.js';
import type { SendRecord } from './client.js';

const limitMs = 90_000;

export interface Outcome {
  __typename: string;
  threadId?: string;
  messageId?: string;
  code?: string;
}

/** What the mutation came to, asked for until there is an answer; undefined where there is none in time. */
export async function mutate(options: Asking, record: SendRecord, body: object): Promise<Outcome | undefined> {
  const headers = { 'content-type': 'application/json' };
  const untilMs = performance.now() + limitMs;
  while (performance.now() < untilMs) {
    const reply = await ask(options, '/graphql', { method: 'POST', headers, body: JSON.stringify(body) }, '');
    const text = (await reply?.text().catch(() => undefined)) ?? '';
    if (reply?.status === 200) {
      const { data } = JSON.parse(text) as { data?: { outcome: Outcome | null } | null };
      // The first try may still be under way.
      if (data?.outcome && data.outcome.code !== 'IDEMPOTENCY_KEY_IN_USE') return data.outcome;
    } else if (reply && reply.status < 500) {
      record.complaints.push({ rule: 'answers', text: `mutation → ${reply.status} ${text}` });
      return undefined;
    }
    await sleep(50 + options.random() * 200);
  }
  return undefined;
}

export interface Meddling {
  /** Share of the responses that are stopped, and again of those that another message interrupts; none by default. */
  meddlingRate?: number;
}

const latestMs = 2000;

const stop = `mutation ($id: ID!) { outcome: stopResponse(messageId: $id) { __typename ... on Error { code } } }`;
const send = `mutation ($input: SendMessageInput!) { outcome: sendMessage(input: $input) {
  __typename ... on PostedMessage { messageId } ... on Error { code } } }`;

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

export interface Rewriting {
  /** Share of the ended answers after which somebody does; none by default. */
  rewritingRate?: number;
}

const posted = '__typename ... on PostedMessage { threadId messageId } ... on Error { code }';
const edit = `mutation ($input: EditMessageInput!) { outcome: editMessage(input: $input) { ${posted} } }`;
const continued = `mutation ($input: ContinueThreadInput!) { outcome: continueThread(input: $input) { ${posted} } }`;
const select = `mutation ($id: ID!) { outcome: selectVariant(messageId: $id) { __typename ... on Error { code } } }`;

/** At times edits the message of an answer, or continues its thread if that failed; then gives the record of the newer message. */
export async function rewrite(options: Asking & Rewriting, record: SendRecord): Promise<SendRecord | undefined> {
  const { random, rewritingRate = 0 } = options;
  if (record.end === undefined || random() >= rewritingRate) return undefined;
  const newer: SendRecord = { nonce: randomUUID(), outcome: 'unknown', viewers: 0, complaints: [] };
  const once = { text: newer.nonce, idempotencyKey: randomUUID() };
  const isDone = record.end === 'done';
  const place = isDone ? { messageId: record.messageId } : { threadId: record.threadId };
  const outcome = await mutate(options, newer, {
    query: isDone ? edit : continued,
    variables: { input: { ...place, ...once } },
  });
  if (outcome?.__typename === 'PostedMessage')
    Object.assign(newer, { outcome: 'accepted', threadId: outcome.threadId, messageId: outcome.messageId });
  else if (outcome) newer.outcome = 'refused';
  if (isDone && newer.outcome !== 'accepted')
    newer.complaints.push({ rule: 'answers', text: `edit → ${outcome?.code}` });
  return newer;
}

/** At times goes back to the version before the edit, after which the thread is ready in any case. */
export async function goBack(options: Asking, edited: SendRecord, original: SendRecord): Promise<void> {
  if (options.random() < 0.5) await mutate(options, edited, { query: select, variables: { id: original.messageId } });
}
