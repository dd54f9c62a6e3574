import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { summaryRequest } from '../../../src/assistant/summary-texts.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import {
  breakConnection,
  finish,
  httpError,
  type ModelScript,
  text,
  toolCall,
} from '../../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { allMessages } from './all-messages.js';

/** Half of it, 500 tokens, is about 2,000 bytes: the newest turn, and none of the older ones. */
const environment = { AI_CONTEXT_TOKENS: '1000' };
const long = (word: string) => `${word} ${'x'.repeat(1500)}`;

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await startTestService({ environment });
  ada = await service.person();
});
afterAll(() => service.stop());

/** What the model is asked to say next, and what it says when it is asked for a summary. */
let answers: ModelScript[] = [];
let summaries: ModelScript[] = [];
beforeEach(() => {
  answers = [];
  summaries = [];
  service.model.requests.length = 0;
  service.model.respond(({ body }) => {
    const script = body.messages.at(-1)?.content === summaryRequest ? summaries.shift() : answers.shift();
    return script ?? [text('answer')];
  });
});

/** A thread in which these messages were sent and answered. */
async function converse(messages: readonly string[], threadId?: string): Promise<string> {
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

async function listed(threadId: string): Promise<MessageBody[]> {
  return (await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`)).body.data;
}

const everything = (threadId: string) => allMessages(service.url, { token: ada.token, threadId });

const prompts = () =>
  service.model.requests.map(({ body }) =>
    body.messages.map(({ role, content }) => `${role}: ${String(content).split(' x')[0]}`),
  );

describe('summary › a conversation that has outgrown the model', () => {
  it('puts one message in the place of the older part, which stays readable', async () => {
    summaries = [[text('They counted '), text('to two.')]];
    const threadId = await converse([long('one'), long('two'), long('three')]);
    const shown = await listed(threadId);
    expect(shown.map(outline)).toEqual(['summary: They counted to two.', 'user: three', 'assistant: answer']);
    const times = shown.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted());
    expect(await everything(threadId)).toEqual([
      '[user: one]',
      '[assistant: answer]',
      '[user: two]',
      '[assistant: answer]',
      'summary: They counted to two.',
      'user: three',
      'assistant: answer',
    ]);
    expect(prompts().at(-1)?.slice(1)).toEqual([
      'user: Summary of the conversation so far:\n\nThey counted to two.',
      'user: three',
    ]);
    expect(prompts().at(-2)?.slice(1, -1)).toEqual([
      'user: one',
      'assistant: answer',
      'user: two',
      'assistant: answer',
    ]);
  });

  it('is summarized again, with its summary, when it has grown again', async () => {
    summaries = [[text('First summary.')], [text('Second summary.')]];
    const threadId = await converse([long('one'), long('two'), long('three'), long('four'), long('five')]);
    expect((await listed(threadId)).map(outline)).toEqual([
      'summary: Second summary.',
      'user: five',
      'assistant: answer',
    ]);
    const all = await everything(threadId);
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
    const asked = prompts().filter((prompt) => prompt.at(-1) === `user: ${summaryRequest}`);
    expect(asked[1]?.slice(1, 3)).toEqual([
      'user: Summary of the conversation so far:\n\nFirst summary.',
      'user: three',
    ]);
  });

  it.each<[string, ModelScript]>([
    ['is empty', [finish()]],
    ['is white space', [text(' \n')]],
    ['fails', [httpError(500)]],
    ['breaks off', [text('They'), breakConnection()]],
  ])('is sent as it is where the summary %s, and stays as it was', async (_name, script) => {
    summaries = [script];
    const threadId = await converse([long('one'), long('two'), long('three')]);
    const turns = ['one', 'two', 'three'].flatMap((word) => [`user: ${word}`, 'assistant: answer']);
    expect((await listed(threadId)).map(outline)).toEqual(turns);
    expect(await everything(threadId)).toEqual(turns);
    expect(prompts().at(-1)?.slice(1)).toEqual(turns.slice(0, -1));
  });

  it('stores what can be stored of a summary', async () => {
    summaries = [[text('a\0b\ud83d')]];
    const threadId = await converse([long('one'), long('two'), long('three')]);
    expect((await listed(threadId)).map(outline)[0]).toBe('summary: a\ufffdb\ufffd');
  });

  it('never cuts a question off from its answer', async () => {
    const question = { question: 'Tea or coffee?', choices: ['Tea', 'Coffee'] };
    answers = [[...toolCall({ id: 'call_1', name: 'user_get_choice', arguments: question }), finish('tool_calls')]];
    summaries = [[text('Tea it is.')]];
    const threadId = await converse([`hello ${'x'.repeat(3500)}`, `Tea ${'x'.repeat(700)}`]);
    const turns = ['user: hello', 'assistant: user_get_choice', 'user: Tea', 'assistant: answer'];
    expect((await listed(threadId)).map(outline)).toEqual(turns);
    expect(service.model.lastRequest.body.messages.slice(1).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
    await converse(['Thanks'], threadId);
    expect((await listed(threadId)).map(outline)).toEqual(['summary: Tea it is.', 'user: Thanks', 'assistant: answer']);
    expect((await everything(threadId)).slice(0, 5)).toEqual([
      '[user: hello]',
      '[assistant: Tea or coffee?]',
      '[user: Tea]',
      '[assistant: answer]',
      'summary: Tea it is.',
    ]);
  });
});
