import { describe, expect } from 'vitest';
import { summaryRequest } from '../../../src/assistant/summary-texts.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
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
import { allMessages } from './all-messages.js';
import { it } from './summarizing.js';

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
