/** Answering the question that a thread ends with: every outcome, for every caller, and two who answer at once. */
import { describe, expect } from 'vitest';
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import { textsOf } from '../../modules/viewing/response-facts.js';
import type { Data, GraphQLClient } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { finish, gate, text, toolCall, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';

const question = { question: 'Tea or coffee?', choices: ['Tea', 'Coffee "black"'] };

/** The script in which the model asks it, once for each id. */
const ask = (...ids: string[]) => [
  ...ids.flatMap((id, index) => toolCall({ id, index, name: 'user_get_choice', arguments: question })),
  finish('tool_calls'),
];

const mutation = `mutation ($input: AnswerChoiceInput!) { answerChoice(input: $input) {
  __typename
  ... on PostedMessage { threadId messageId replayed }
  ... on Error { code message }
  ... on InvalidInputError { problems { field message } }
  ... on ThreadNotReadyError { state } } }`;

/** The message that was posted, or what an error says. */
type Outcome = Data<typeof mutation>['answerChoice'];

type Input = InputOf<typeof mutation>['input'];

async function answerChoice(graphql: GraphQLClient, input: Input): Promise<Outcome> {
  return (await graphql.data(mutation, { input })).answerChoice;
}

const it = serviceTest()
  .extend('ada', { scope: 'file' }, ({ service }) => newcomer(service))
  .extend('colleague', { scope: 'file' }, ({ service, ada }) => colleagueOf(service, ada))
  .extend('threadId', ({ service, ada }) => askedThread(service, ada));

/** A thread that ends with the question `call_1`. */
async function askedThread(service: TestService, ada: Person, body: { is_private?: boolean } = {}): Promise<string> {
  service.model.enqueue(ask('call_1'));
  return (await ada.rest.readyThread({ text: 'A drink, please', ...body })).threadId;
}

const choose = ({ graphql }: Person, input: Partial<Input> & Pick<Input, 'threadId'>): Promise<Outcome> =>
  answerChoice(graphql, { toolUseId: 'call_1', choice: 'Tea', ...input });

const notOpen = { __typename: 'ChoiceNotOpenError', code: 'CHOICE_NOT_OPEN' };

describe('answerChoice › an open question', () => {
  it('sends the choice as a message, which the model gets as the result of its question', async ({ service, ada }) => {
    const threadId = await askedThread(service, ada);
    const posted = await choose(ada, { threadId, choice: 'Coffee "black"' });
    expect(posted).toMatchObject({ __typename: 'PostedMessage', threadId, replayed: false });
    await ada.rest.answer(posted);
    expect(await textsOf(ada.rest, { threadId })).toEqual([
      'user: A drink, please',
      'assistant: user_get_choice',
      'user: Coffee "black"',
      'assistant: Hello from the model.',
    ]);
    expect(service.model.lastRequest.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'q00000001',
      content: 'Coffee "black"',
    });
  });

  it('can be answered by an ordinary message instead', async ({ ada, threadId }) => {
    await ada.rest.answer(await ada.rest.send(threadId, 'Water'));
    expect(await choose(ada, { threadId })).toMatchObject(notOpen);
  });

  it('accepts one of several concurrent answers', async ({ ada, colleague, threadId }) => {
    const answers = [ada, colleague].flatMap((person) =>
      ['Tea', 'Coffee "black"'].map((choice) => choose(person, { threadId, choice })),
    );
    const all = await Promise.all(answers);
    const accepted = all.filter(({ __typename }) => __typename === 'PostedMessage');
    expect(accepted).toHaveLength(1);
    expect(all.filter((outcome) => !accepted.includes(outcome))).toEqual([
      expect.objectContaining(notOpen),
      expect.objectContaining(notOpen),
      expect.objectContaining(notOpen),
    ]);
    await ada.rest.answer(accepted[0] ?? expect.fail('nobody won'));
    expect((await textsOf(ada.rest, { threadId })).filter((line) => line.startsWith('user:'))).toHaveLength(2);
  });
});

describe('answerChoice › refusals, after which nothing has changed', () => {
  it('is InvalidInputError for anything but a choice, and for what no field may be', async ({ ada, threadId }) => {
    const before = await textsOf(ada.rest, { threadId });
    const message = 'must be one of "Tea", "Coffee \\"black\\""; use sendMessage to answer in other words';
    for (const choice of ['tea', 'Tea ', 'Water']) {
      const problems = [{ field: 'choice', message }];
      expect(await choose(ada, { threadId, choice })).toMatchObject({ __typename: 'InvalidInputError', problems });
    }
    for (const input of [{ choice: 'a\u0000' }, { choice: '' }, { toolUseId: '\ud800' }, { idempotencyKey: '' }]) {
      const problems = [{ field: Object.keys(input)[0] }];
      const refused = await choose(ada, { threadId, ...input });
      expect(refused, JSON.stringify(input)).toMatchObject({ __typename: 'InvalidInputError', problems });
    }
    expect(await textsOf(ada.rest, { threadId })).toEqual(before);
  });

  it('is ChoiceNotOpenError for another question, an answered one, and none', async ({ service, ada, threadId }) => {
    expect(await choose(ada, { threadId, toolUseId: 'call_2' })).toMatchObject(notOpen);
    service.model.enqueue(ask('call_1', 'call_1'));
    const [asked] = await ada.rest.answer(await choose(ada, { threadId }));
    expect(await choose(ada, { threadId }), 'although the model has used the id again').toMatchObject(notOpen);
    const ids = asked?.contents.map((block) => ('tool_use_id' in block ? block.tool_use_id : '')) ?? [];
    expect(new Set(ids).size, 'two questions have two ids').toBe(2);
    await ada.rest.answer(await choose(ada, { threadId, toolUseId: `${ids[1]}` }));
    expect(await choose(ada, { threadId: await addThread(service, ada) })).toMatchObject(notOpen);
  });

  it('is ChoiceNotOpenError for a question that a user quotes', async ({ service, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const contents = [{ type: 'user_get_choice', toolUseId: 'call_1', ...question }];
    await service.database.message.updateMany({
      where: { threadId, role: 'assistant' },
      data: { role: 'user', contents },
    });
    expect(await choose(ada, { threadId })).toMatchObject(notOpen);
  });

  it.for(['interrupted', 'error'] as const)('is ThreadNotReadyError if it is %s', async (state, { service, ada }) => {
    const threadId = await askedThread(service, ada);
    const { database } = service;
    // No worker leaves a thread so by itself unless it is stopped or fails in the very moment of the question.
    const { lastSequence } = await database.thread.findUniqueOrThrow({ where: { id: threadId } });
    const halted = await addThread(service, ada, { state });
    await database.thread.update({ where: { id: halted }, data: { lastSequence } });
    await database.message.updateMany({ where: { threadId }, data: { threadId: halted } });
    const refusal = { __typename: 'ThreadNotReadyError', code: 'THREAD_NOT_READY', state: state.toUpperCase() };
    expect(await choose(ada, { threadId: halted })).toMatchObject(refusal);
  });
});

describe('answerChoice › idempotencyKey', () => {
  it('returns the first outcome again, although the question is answered', async ({ service, ada, threadId }) => {
    const hold = gate();
    service.model.enqueue([text('Hel'), wait(hold.passed)]);
    const input = { threadId, idempotencyKey: 'once' };
    const first = await choose(ada, input);
    expect(await choose(ada, input)).toEqual({ ...first, replayed: true });
    expect(await choose(ada, { ...input, choice: 'Coffee' })).toMatchObject({
      __typename: 'IdempotencyKeyReusedError',
    });
    hold.open();
    await ada.rest.answer(first);
  });
});
