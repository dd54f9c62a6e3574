/** What is read of a thread for the model: its newest part, however many messages there are and however long they are. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { summaryRequest } from '../../../src/assistant/summary-texts.js';
import { readNewest } from '../../../src/modules/messages/newest-messages.js';
import { type StoredMessage, storeMessages } from '../../rest/messages/stored-messages.js';
import { httpError, type ModelScript, text } from '../../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';

/** Of which 8,000 bytes are read, and the message that reaches them. */
const environment = { AI_CONTEXT_TOKENS: '1000' };

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await startTestService({ environment });
  ada = await service.person();
});
afterAll(() => service.stop());

let summaries: ModelScript[] = [];
beforeEach(() => {
  summaries = [];
  service.model.requests.length = 0;
  service.model.respond(({ body }) => {
    const isSummary = body.messages.at(-1)?.content === summaryRequest;
    return (isSummary ? summaries.shift() : undefined) ?? [text('answer')];
  });
});

/** A thread in which somebody counts, in turns of a question and an answer. */
async function countTo(count: number, padding = ''): Promise<string> {
  const threadId = await addThread(service, ada);
  const messages = Array.from({ length: count }, (_, index): StoredMessage => {
    const role = index % 2 ? 'assistant' : 'user';
    return { role, contents: [{ type: 'text', text: `${index + 1}${padding}` }] };
  });
  await storeMessages(service, threadId, messages);
  return threadId;
}

async function ask(threadId: string): Promise<void> {
  await ada.rest.answer(await ada.rest.send(threadId, 'And then?'));
}

/** The first word of each message of each request to the model, without instructions. */
const requests = () =>
  service.model.requests.map(({ body }) =>
    body.messages.slice(1).map(({ content }) => String(content).split(' ')[0] ?? ''),
  );

const activeCount = (threadId: string) => service.service.database.message.count({ where: { threadId, active: true } });

describe('a thread of 3,000 messages', () => {
  it('is not read whole: the model sees the newest, and the summary replaces only what it was made of', async () => {
    const threadId = await countTo(3000);
    summaries = [[text('They counted.')]];
    await ask(threadId);
    const [summarized = [], prompt = []] = requests();
    expect(summarized.length).toBeLessThan(250);
    expect(Number(summarized[0])).toBeGreaterThan(2750);
    const last = Number(summarized.at(-2));
    expect(prompt.slice(0, 2)).toEqual(['Summary', String(last + 1)]);
    expect(prompt.slice(-2)).toEqual(['3000', 'And']);
    // What was neither read nor told is still there: with it the summary, what the model saw, and the answer.
    const unread = Number(summarized[0]) - 1;
    expect(await activeCount(threadId)).toBe(unread + prompt.length + 1);
    const { database } = service.service;
    expect(await database.message.count({ where: { threadId, active: false } })).toBe(last - unread);
  });

  it('is summarized part by part by the responses that follow', async () => {
    const threadId = await countTo(500);
    let active = await activeCount(threadId);
    for (const summary of ['First.', 'Second.', 'Third.']) {
      summaries = [[text(summary)]];
      await ask(threadId);
      expect(await activeCount(threadId)).toBeLessThan(active);
      active = await activeCount(threadId);
    }
    expect(requests().at(-1)?.slice(0, 1)).toEqual(['Summary']);
    const { database } = service.service;
    const shown = await database.message.findMany({ where: { threadId, active: true, role: 'summary' } });
    expect(shown.map(({ contents }) => contents)).toEqual([[{ type: 'text', text: 'Third.' }]]);
  });

  it('is sent as far as it was read if the summary fails', async () => {
    const threadId = await countTo(3000);
    summaries = [[httpError(500)]];
    await ask(threadId);
    const prompt = requests().at(-1) ?? [];
    expect(prompt.slice(-2)).toEqual(['3000', 'And']);
    expect(prompt.length).toBeLessThan(250);
    expect(await activeCount(threadId)).toBe(3002);
  });
});

describe('a thread of messages of a megabyte', () => {
  it('is read up to the one that reaches the limit of bytes', async () => {
    const threadId = await countTo(12, ` ${'x'.repeat(100_000)}`);
    const { database } = service.service;
    const sequences = async (bytes: number, count?: number) => {
      const read = await readNewest(database, { threadId, bytes, ...(count ? { count } : {}) });
      return read.map(({ sequence }) => sequence);
    };
    expect(await sequences(1)).toEqual([24]);
    expect(await sequences(250_000)).toEqual([20, 22, 24]);
    expect(await sequences(10_000_000)).toHaveLength(12);
    expect(await sequences(10_000_000, 2)).toEqual([22, 24]);
    summaries = [[text('Long.')]];
    await ask(threadId);
    expect(requests()).toEqual([
      ['12', summaryRequest.split(' ')[0]],
      ['Summary', 'And'],
    ]);
  });
});

describe('a thread of more messages than one statement reads', () => {
  it('is read in order, each message once', async () => {
    const threadId = await countTo(250);
    const read = await readNewest(service.service.database, { threadId, bytes: 1_000_000 });
    expect(read.map(({ contents }) => contents)).toEqual(
      Array.from({ length: 250 }, (_, index) => [{ type: 'text', text: String(index + 1) }]),
    );
  });
});
