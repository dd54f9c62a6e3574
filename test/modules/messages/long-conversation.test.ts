/** What is read of a thread for the model: its newest part, however many messages there are and however long they are. */
import { describe, expect } from 'vitest';
import { summaryRequest } from '../../../src/assistant/summary-texts.js';
import { readNewest } from '../../../src/modules/messages/newest-messages.js';
import { type StoredMessage, storeMessages } from '../../rest/messages/stored-messages.js';
import { httpError, text } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';
import { it } from './summarizing.js';

/** A thread in which somebody counts, in turns of a question and an answer. */
async function countTo(service: TestService, ada: Person, count: number, padding = ''): Promise<string> {
  const threadId = await addThread(service, ada);
  const messages = Array.from({ length: count }, (_, index): StoredMessage => {
    const role = index % 2 ? 'assistant' : 'user';
    return { role, contents: [{ type: 'text', text: `${index + 1}${padding}` }] };
  });
  await storeMessages(service, threadId, messages);
  return threadId;
}

async function ask(ada: Person, threadId: string): Promise<void> {
  await ada.rest.answer(await ada.rest.send(threadId, 'And then?'));
}

/**
 * The first word of each message of each request to the model, without instructions. Neighbours of one role go to the
 * model as paragraphs of one message.
 */
const requests = (service: TestService) =>
  service.model.requests.map(({ body }) =>
    body.messages.slice(1).flatMap(({ content }) =>
      String(content)
        .split('\n\n')
        .map((paragraph) => paragraph.split(' ')[0] ?? ''),
    ),
  );

const activeCount = (service: TestService, threadId: string) =>
  service.database.message.count({ where: { threadId, active: true } });

describe('a thread of 3,000 messages', () => {
  it('is not read whole, and the summary replaces only what it was made of', async ({ service, ada, summaries }) => {
    const threadId = await countTo(service, ada, 3000);
    summaries.push([text('They counted.')]);
    await ask(ada, threadId);
    const [summarized = [], prompt = []] = requests(service);
    expect(summarized.length).toBeLessThan(250);
    expect(Number(summarized[0])).toBeGreaterThan(2750);
    const last = Number(summarized.at(-2));
    expect(prompt.slice(0, 3)).toEqual(['Summary', 'They', String(last + 1)]);
    expect(prompt.slice(-2)).toEqual(['3000', 'And']);
    // What was neither read nor told is still there: with it the summary (two words of the prompt), what the model saw,
    // and the answer.
    const unread = Number(summarized[0]) - 1;
    expect(await activeCount(service, threadId)).toBe(unread + prompt.length);
    expect(await service.database.message.count({ where: { threadId, active: false } })).toBe(last - unread);
  });

  it('is summarized part by part by the responses that follow', async ({ service, database, ada, summaries }) => {
    const threadId = await countTo(service, ada, 500);
    let active = await activeCount(service, threadId);
    for (const summary of ['First.', 'Second.', 'Third.']) {
      summaries.push([text(summary)]);
      await ask(ada, threadId);
      expect(await activeCount(service, threadId)).toBeLessThan(active);
      active = await activeCount(service, threadId);
    }
    expect(requests(service).at(-1)?.slice(0, 1)).toEqual(['Summary']);
    const shown = await database.message.findMany({ where: { threadId, active: true, role: 'summary' } });
    expect(shown.map(({ contents }) => contents)).toEqual([[{ type: 'text', text: 'Third.' }]]);
  });

  it('is sent as far as it was read if the summary fails', async ({ service, ada, summaries }) => {
    const threadId = await countTo(service, ada, 3000);
    summaries.push([httpError(500)]);
    await ask(ada, threadId);
    const prompt = requests(service).at(-1) ?? [];
    expect(prompt.slice(-2)).toEqual(['3000', 'And']);
    expect(prompt.length).toBeLessThan(250);
    expect(await activeCount(service, threadId)).toBe(3002);
  });
});

describe('a thread of messages of a megabyte', () => {
  it('is read up to the one that reaches the limit of bytes', async ({ service, database, ada, summaries }) => {
    const threadId = await countTo(service, ada, 12, ` ${'x'.repeat(100_000)}`);
    const sequences = async (bytes: number, count?: number) => {
      const read = await readNewest(database, { threadId, bytes, ...(count ? { count } : {}) });
      return read.map(({ sequence }) => sequence);
    };
    expect(await sequences(1)).toEqual([24]);
    expect(await sequences(250_000)).toEqual([20, 22, 24]);
    expect(await sequences(10_000_000)).toHaveLength(12);
    expect(await sequences(10_000_000, 2)).toEqual([22, 24]);
    summaries.push([text('Long.')]);
    await ask(ada, threadId);
    expect(requests(service)).toEqual([
      ['12', summaryRequest.split(' ')[0]],
      ['Summary', 'Long.', 'And'],
    ]);
  });
});

describe('a thread of more messages than one statement reads', () => {
  it('is read in order, each message once', async ({ service, ada }) => {
    const threadId = await countTo(service, ada, 250);
    const read = await readNewest(service.database, { threadId, bytes: 1_000_000 });
    expect(read.map(({ contents }) => contents)).toEqual(
      Array.from({ length: 250 }, (_, index) => [{ type: 'text', text: String(index + 1) }]),
    );
  });
});
