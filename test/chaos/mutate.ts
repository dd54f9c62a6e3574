/** A mutation that is asked for until there is an answer, as its idempotency allows. */
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
