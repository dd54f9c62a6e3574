/** What impatient clients do while a response is under way: they stop it, or send another message in its place. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asking } from './ask.js';
import type { SendRecord } from './client.js';
import { mutate } from './mutate.js';

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
