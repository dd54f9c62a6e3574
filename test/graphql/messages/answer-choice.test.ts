/** Answering the question that a thread ends with: every outcome, for every caller, and two who answer at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';
import { answerChoice, ask, type Input, mutation, type Outcome, question } from './choice-answers.js';

let service: TestService;
let ada: Person;
let colleague: Person;
beforeAll(async () => {
  service = await startTestService();
  ada = await newcomer(service);
  colleague = await colleagueOf(service, ada);
});
afterAll(() => service.stop());

/** A thread that ends with the question `call_1`. */
async function askedThread(body: { is_private?: boolean } = {}): Promise<string> {
  service.model.enqueue(ask('call_1'));
  return (await ada.rest.readyThread({ text: 'A drink, please', ...body })).threadId;
}

const choose = (input: Partial<Input> & Pick<Input, 'threadId'>, { token } = ada): Promise<Outcome> =>
  answerChoice(new GraphQLClient({ origin: service.url, token }), { toolUseId: 'call_1', choice: 'Tea', ...input });

async function outlineOf(threadId: string): Promise<string[]> {
  const { body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`);
  return body.data.map(
    ({ role, contents: [block] }) => `${role}: ${block?.type === 'text' ? block.text : block?.type}`,
  );
}

const notOpen = { __typename: 'ChoiceNotOpenError', code: 'CHOICE_NOT_OPEN' };

describe('answerChoice › an open question', () => {
  it('sends the choice as a message, which the model gets as the result of its question', async () => {
    const threadId = await askedThread();
    const posted = await choose({ threadId, choice: 'Coffee "black"' });
    expect(posted).toMatchObject({ __typename: 'PostedMessage', threadId, replayed: false });
    await ada.rest.answer(posted);
    expect(await outlineOf(threadId)).toEqual([
      'user: A drink, please',
      'assistant: user_get_choice',
      'user: Coffee "black"',
      'assistant: Hello from the model.',
    ]);
    expect(service.model.lastRequest.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'call_1',
      content: 'Coffee "black"',
    });
  });

  it('can be answered by a colleague in a public thread', async () => {
    const threadId = await askedThread();
    const posted = await choose({ threadId }, colleague);
    expect(posted).toMatchObject({ __typename: 'PostedMessage' });
    await colleague.rest.answer(posted);
  });

  it('can be answered by an ordinary message instead', async () => {
    const threadId = await askedThread();
    await ada.rest.answer(await ada.rest.send(threadId, 'Water'));
    expect(await choose({ threadId })).toMatchObject(notOpen);
  });

  it('accepts one of several concurrent answers', async () => {
    const threadId = await askedThread();
    const choices = ['Tea', 'Coffee "black"', 'Tea', 'Coffee "black"'];
    const people = [ada, colleague, ada, colleague];
    const all = await Promise.all(choices.map((choice, index) => choose({ threadId, choice }, people[index])));
    const accepted = all.filter(({ __typename }) => __typename === 'PostedMessage');
    expect(accepted).toHaveLength(1);
    expect(all.filter((outcome) => !accepted.includes(outcome))).toEqual([
      expect.objectContaining(notOpen),
      expect.objectContaining(notOpen),
      expect.objectContaining(notOpen),
    ]);
    await ada.rest.answer(accepted[0] ?? expect.fail('nobody won'));
    expect((await outlineOf(threadId)).filter((line) => line.startsWith('user:'))).toHaveLength(2);
  });
});

describe('answerChoice › refusals, after which nothing has changed', () => {
  it('is InvalidInputError for anything but a choice, and lists the choices', async () => {
    const threadId = await askedThread();
    const before = await outlineOf(threadId);
    const message = 'must be one of "Tea", "Coffee \\"black\\""; use sendMessage to answer in other words';
    for (const choice of ['tea', 'Tea ', 'Water']) {
      const problems = [{ field: 'choice', message }];
      expect(await choose({ threadId, choice })).toMatchObject({ __typename: 'InvalidInputError', problems });
    }
    expect(await outlineOf(threadId)).toEqual(before);
  });

  it.each([{ choice: 'a\u0000' }, { choice: '' }, { toolUseId: '\ud800' }, { idempotencyKey: '' }])(
    'is InvalidInputError for %j',
    async (input) => {
      const threadId = await askedThread();
      const problems = [{ field: Object.keys(input)[0] }];
      expect(await choose({ threadId, ...input })).toMatchObject({ __typename: 'InvalidInputError', problems });
    },
  );

  it('is ChoiceNotOpenError for another question, for an answered one, and without a question', async () => {
    const threadId = await askedThread();
    expect(await choose({ threadId, toolUseId: 'call_2' })).toMatchObject(notOpen);
    service.model.enqueue(ask('call_2'));
    await ada.rest.answer(await choose({ threadId }));
    expect(await choose({ threadId })).toMatchObject(notOpen);
    await ada.rest.answer(await choose({ threadId, toolUseId: 'call_2' }));
    expect(await choose({ threadId: await addThread(service, ada) })).toMatchObject(notOpen);
  });

  it('is ChoiceNotOpenError for a question that a user quotes', async () => {
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const contents = [{ type: 'user_get_choice', toolUseId: 'call_1', ...question }];
    await service.service.database.message.updateMany({
      where: { threadId, role: 'assistant' },
      data: { role: 'user', contents },
    });
    expect(await choose({ threadId })).toMatchObject(notOpen);
  });

  it.each(['interrupted', 'error'] as const)('is ThreadNotReadyError where the thread is %s', async (state) => {
    const threadId = await askedThread();
    const { database } = service.service;
    // No worker leaves a thread so by itself unless it is stopped or fails in the very moment of the question.
    const { lastSequence } = await database.thread.findUniqueOrThrow({ where: { id: threadId } });
    const halted = await addThread(service, ada, { state });
    await database.thread.update({ where: { id: halted }, data: { lastSequence } });
    await database.message.updateMany({ where: { threadId }, data: { threadId: halted } });
    const refusal = { __typename: 'ThreadNotReadyError', code: 'THREAD_NOT_READY', state: state.toUpperCase() };
    expect(await choose({ threadId: halted })).toMatchObject(refusal);
  });

  it('is the same NotFoundError for a hidden thread and an unknown one', async () => {
    const threadId = await askedThread({ is_private: true });
    const unknown = await choose({ threadId: `${threadId.slice(0, -4)}0000` });
    expect(unknown).toMatchObject({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
    expect(await choose({ threadId }, colleague)).toEqual(unknown);
    expect(await choose({ threadId, choice: 'Water' }, await newcomer(service))).toEqual(unknown);
    expect(await choose({ threadId: 'thr_\u0000' })).toEqual(unknown);
  });

  it('needs the scope threads:write', async () => {
    const token = await service.token(ada.id, ['me:read', 'threads:read', 'feedback:write']);
    const graphql = new GraphQLClient({ origin: service.url, token });
    const input = { threadId: await askedThread(), toolUseId: 'call_1', choice: 'Tea' };
    const { extensions } = await graphql.failure({ query: mutation, variables: { input } });
    expect(extensions).toMatchObject({ code: 'MISSING_SCOPE', requiredScope: 'threads:write' });
  });
});

describe('answerChoice › idempotencyKey', () => {
  it('returns the first outcome again, although the question is answered', async () => {
    const threadId = await askedThread();
    const hold = gate();
    service.model.enqueue([text('Hel'), wait(hold.passed)]);
    const input = { threadId, idempotencyKey: 'once' };
    const first = await choose(input);
    expect(await choose(input)).toEqual({ ...first, replayed: true });
    expect(await choose({ ...input, choice: 'Coffee' })).toMatchObject({ __typename: 'IdempotencyKeyReusedError' });
    hold.open();
    await ada.rest.answer(first);
  });
});
