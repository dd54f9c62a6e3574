/** What people do once an answer has ended: they edit their message, go back to what it was, or continue a thread that failed. */
import { randomUUID } from 'node:crypto';
import type { Asking } from './ask.js';
import type { SendRecord } from './client.js';
import { mutate } from './mutate.js';

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
