/** Conversations that outgrow the model: what is read of them, and the summary that takes the place of their older part. */

import { describe, expect } from 'vitest';
import { summaryRequest } from '../../../src/assistant/summary-texts.js';
import { readNewest } from '../../../src/modules/messages/newest-messages.js';
import { type StoredMessage, storeMessages } from '../../rest/messages/stored-messages.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import {
  breakConnection,
  finish,
  httpError,
  type ModelScript,
  text,
  toolCall,
  usage,
} from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';

const query = `query ($id: ID!) { thread(id: $id) { messages(first: 100, includeInactive: true) {
  edges { node { active role contents { ... on TextBlock { text } ... on UserGetChoiceBlock { question } } } } } } }`;

/**
 * All messages of a thread, as GraphQL shows them: the role and the text up to the first run of x; those that a
 * summary replaced are in brackets.
 */
async function allMessages({ graphql }: Person, threadId: string): Promise<string[]> {
  const { thread } = await graphql.data(query, { id: threadId });
  return thread.messages.edges.map(({ node }) => {
    const said = node.contents.map((block) => (block.text ?? block.question ?? '').split(' x')[0]).join();
    const line = `${node.role.toLowerCase()}: ${said}`;
    return node.active ? line : `[${line}]`;
  });
}

/** `answers` and `summaries` are what the model says next, when it is asked to answer and to summarize; else it says "answer". */
const it = serviceTest({ environment: { AI_CONTEXT_TOKENS: '1000' } })
  .extend('answers', (): ModelScript[] => [])
  .extend('summaries', (): ModelScript[] => [])
  .extend('scripted', { auto: true }, ({ service, answers, summaries }) => {
    service.model.requests.length = 0;
    service.model.respond(({ body }) => {
      const script = body.messages.at(-1)?.content === summaryRequest ? summaries.shift() : answers.shift();
      return script ?? [text('answer')];
    });
  });

const long = (word: string) => `${word} ${'x'.repeat(1500)}`;

/** A thread in which these messages were sent and answered. */
async function converse(ada: Person, messages: readonly string[], threadId?: string): Promise<string> {
  let id = threadId;
  for (const message of messages) {
    const sent = id === undefined ? await ada.rest.createThread({ text: message }) : await ada.rest.send(id, message);
    await ada.rest.answer(sent);
    id = sent.threadId;
  }
  return id ?? expect.fail('nothing was sent');
}

const outline = ({ role, contents }: MessageBody) =>
  `${role}: ${contents.map((block) => (block.type === 'text' ? block.text.split(' x')[0] : block.type)).join()}`;

async function listed(ada: Person, threadId: string): Promise<MessageBody[]> {
  return (await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`)).body.data;
}

const prompts = (service: TestService) =>
  service.model.requests.map(({ body }) =>
    body.messages.map(({ role, content }) => `${role}: ${String(content).split(' x')[0]}`),
  );

describe('summary › a conversation that has outgrown the model', () => {
  it('puts one message in the place of the older part, which stays readable', async ({ service, ada, summaries }) => {
    summaries.push([text('They counted '), text('to two.')]);
    const threadId = await converse(ada, [long('one'), long('two'), long('three')]);
    const shown = await listed(ada, threadId);
    expect(shown.map(outline)).toEqual(['summary: They counted to two.', 'user: three', 'assistant: answer']);
    const times = shown.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted());
    expect(await allMessages(ada, threadId)).toEqual([
      '[user: one]',
      '[assistant: answer]',
      '[user: two]',
      '[assistant: answer]',
      'summary: They counted to two.',
      'user: three',
      'assistant: answer',
    ]);
    expect(prompts(service).at(-1)?.slice(1)).toEqual([
      'user: Summary of the conversation so far:\n\nThey counted to two.\n\nthree',
    ]);
    expect(prompts(service).at(-2)?.slice(1, -1)).toEqual([
      'user: one',
      'assistant: answer',
      'user: two',
      'assistant: answer',
    ]);
  });

  it('has the tokens of the summary in the usage of its owner', async ({ service, ada, answers, summaries }) => {
    const used = async () => {
      const where = { userId: ada.id };
      return service.database.usageDay.aggregate({ where, _sum: { responses: true, inputTokens: true } });
    };
    const before = (await used())._sum;
    const answer = [text('answer'), usage(1, 1), finish()];
    answers.push(answer, answer, answer);
    summaries.push([text('They counted.'), usage(700, 5), finish()]);
    await converse(ada, [long('one'), long('two'), long('three')]);
    const { responses, inputTokens } = (await used())._sum;
    expect(Number(responses) - Number(before.responses ?? 0)).toBe(3);
    expect(Number(inputTokens) - Number(before.inputTokens ?? 0)).toBe(703);
  });

  it('is summarized again, with its summary, when it has grown again', async ({ service, ada, summaries }) => {
    summaries.push([text('First summary.')], [text('Second summary.')]);
    const threadId = await converse(ada, [long('one'), long('two'), long('three'), long('four'), long('five')]);
    expect((await listed(ada, threadId)).map(outline)).toEqual([
      'summary: Second summary.',
      'user: five',
      'assistant: answer',
    ]);
    const all = await allMessages(ada, threadId);
    expect(all.slice(0, 10)).toEqual([
      '[user: one]',
      '[assistant: answer]',
      '[user: two]',
      '[assistant: answer]',
      '[summary: First summary.]',
      '[user: three]',
      '[assistant: answer]',
      '[user: four]',
      '[assistant: answer]',
      'summary: Second summary.',
    ]);
    const asked = prompts(service).filter((prompt) => prompt.at(-1) === `user: ${summaryRequest}`);
    expect(asked[1]?.slice(1, 3)).toEqual([
      'user: Summary of the conversation so far:\n\nFirst summary.\n\nthree',
      'assistant: answer',
    ]);
  });

  it.for<[string, ModelScript]>([
    ['is empty', [finish()]],
    ['is white space', [text(' \n')]],
    ['fails', [httpError(500)]],
    ['breaks off', [text('They'), breakConnection()]],
  ] as const)(
    'is sent as it is where the summary %s, and stays as it was',
    async ([_name, script], { service, ada, summaries }) => {
      summaries.push(script);
      const threadId = await converse(ada, [long('one'), long('two'), long('three')]);
      const turns = ['one', 'two', 'three'].flatMap((word) => [`user: ${word}`, 'assistant: answer']);
      expect((await listed(ada, threadId)).map(outline)).toEqual(turns);
      expect(await allMessages(ada, threadId)).toEqual(turns);
      expect(prompts(service).at(-1)?.slice(1)).toEqual(turns.slice(0, -1));
    },
  );

  it('stores what can be stored of a summary', async ({ ada, summaries }) => {
    summaries.push([text('a\0b\ud83d')]);
    const threadId = await converse(ada, [long('one'), long('two'), long('three')]);
    expect((await listed(ada, threadId)).map(outline)[0]).toBe('summary: a\ufffdb\ufffd');
  });

  it('never cuts a question off from its answer', async ({ service, ada, answers, summaries }) => {
    const question = { question: 'Tea or coffee?', choices: ['Tea', 'Coffee'] };
    answers.push([...toolCall({ id: 'call_1', name: 'user_get_choice', arguments: question }), finish('tool_calls')]);
    summaries.push([text('Tea it is.')]);
    const threadId = await converse(ada, [`hello ${'x'.repeat(3500)}`, `Tea ${'x'.repeat(700)}`]);
    const turns = ['user: hello', 'assistant: user_get_choice', 'user: Tea', 'assistant: answer'];
    expect((await listed(ada, threadId)).map(outline)).toEqual(turns);
    expect(service.model.lastRequest.body.messages.slice(1).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
    await converse(ada, ['Thanks'], threadId);
    expect((await listed(ada, threadId)).map(outline)).toEqual([
      'summary: Tea it is.',
      'user: Thanks',
      'assistant: answer',
    ]);
    expect((await allMessages(ada, threadId)).slice(0, 5)).toEqual([
      '[user: hello]',
      '[assistant: Tea or coffee?]',
      '[user: Tea]',
      '[assistant: answer]',
      'summary: Tea it is.',
    ]);
  });
});

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
