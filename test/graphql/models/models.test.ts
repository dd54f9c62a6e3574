/**
 * What a thread says of its responses: the model, which is chosen when a message is sent and generates exactly that response and those
 * after it, and the instructions, by which its owner tells the model what to heed.
 */
import { describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import { text } from '../../support/model/model-script.js';
import { type Person, type TestService, withoutWorker } from '../../support/service.js';

const environment = {
  AI_MODELS: 'compatible:small=Small and quick, compatible:large',
  AI_SYSTEM_PROMPT: 'Operator first.',
};
const it = serviceTest({ environment });

const create = `mutation ($input: CreateThreadInput!) { createThread(input: $input) {
  __typename ... on PostedMessage { threadId messageId thread { model } } ... on InvalidInputError { message } } }`;
const send = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  __typename ... on PostedMessage { threadId messageId thread { model } } ... on InvalidInputError { message } } }`;
const regenerate = `mutation ($input: RegenerateResponseInput!) { regenerateResponse(input: $input) {
  ... on PostedMessage { threadId messageId thread { model } } } }`;
const edit = `mutation ($input: EditMessageInput!) { editMessage(input: $input) {
  ... on PostedMessage { threadId messageId thread { model } } } }`;
const goOn = `mutation ($input: ContinueThreadInput!) { continueThread(input: $input) {
  ... on PostedMessage { threadId messageId thread { model } } } }`;

/** The model that the provider was asked for last, and the one that the response has. */
async function usedFor(service: TestService, messageId: string) {
  const { database } = service;
  await expect
    .poll(async () => (await database.response.findUniqueOrThrow({ where: { messageId } })).finishedAt, {
      timeout: 15_000,
    })
    .not.toBe(null);
  const { model } = await database.response.findUniqueOrThrow({ where: { messageId } });
  return { asked: service.model.requests.at(-1)?.body.model, stored: model };
}

it('models are the default one and those of AI_MODELS, with a name for people', async ({ graphql }) => {
  expect(await graphql.data('{ models { id label isDefault } }')).toEqual({
    models: [
      { id: 'compatible:scripted', label: 'scripted', isDefault: true },
      { id: 'compatible:small', label: 'Small and quick', isDefault: false },
      { id: 'compatible:large', label: 'large', isDefault: false },
    ],
  });
});

describe('the model of a thread', () => {
  it('is the default one, and not named, until another one is chosen', async ({ service, graphql }) => {
    const { createThread } = await graphql.data(create, { input: { text: 'Hi' } });
    expect(createThread.thread.model).toBe(null);
    expect(await usedFor(service, createThread.messageId)).toEqual({
      asked: 'scripted',
      stored: 'compatible:scripted',
    });
  });

  it('is chosen with a message, and stays for those that name none, in REST too', async ({ service, graphql, ada }) => {
    const { createThread } = await graphql.data(create, { input: { text: 'Hi', model: 'compatible:small' } });
    const { threadId } = createThread;
    expect(createThread.thread.model).toBe('compatible:small');
    expect(await usedFor(service, createThread.messageId)).toEqual({ asked: 'small', stored: 'compatible:small' });
    const { messageId } = await ada.rest.send(threadId, 'Again');
    expect((await usedFor(service, messageId)).asked).toBe('small');
    const { sendMessage } = await graphql.data(send, { input: { threadId, text: 'More', model: 'compatible:large' } });
    expect(sendMessage.thread.model).toBe('compatible:large');
    expect((await usedFor(service, sendMessage.messageId)).asked).toBe('large');
  });

  it('can be another one for a regenerated answer, and for an edited message', async ({ service, graphql }) => {
    const { createThread } = await graphql.data(create, { input: { text: 'Hi' } });
    await usedFor(service, createThread.messageId);
    const { regenerateResponse } = await graphql.data(regenerate, {
      input: { messageId: createThread.messageId, model: 'compatible:large' },
    });
    expect(regenerateResponse.thread.model).toBe('compatible:large');
    expect((await usedFor(service, regenerateResponse.messageId)).asked).toBe('large');
    const { editMessage } = await graphql.data(edit, {
      input: { messageId: regenerateResponse.messageId, text: 'Ho', model: 'compatible:small' },
    });
    expect((await usedFor(service, editMessage.messageId)).asked).toBe('small');
  });

  it('goes on in a thread that continues it', async ({ service, graphql }) => {
    const { createThread } = await graphql.data(create, { input: { text: 'Hi', model: 'compatible:small' } });
    await usedFor(service, createThread.messageId);
    const { continueThread } = await graphql.data(goOn, { input: { threadId: createThread.threadId, text: 'On' } });
    expect(continueThread.thread.model).toBe('compatible:small');
    expect((await usedFor(service, continueThread.messageId)).asked).toBe('small');
  });

  it('must be one of those that are offered: otherwise nothing is sent', async ({ service, graphql }) => {
    const { thread } = service.database;
    const before = await thread.count();
    const { createThread } = await graphql.data(create, { input: { text: 'Hi', model: 'compatible:huge' } });
    expect(createThread).toEqual({
      __typename: 'InvalidInputError',
      message:
        'model: must be the id of one of the available models: "compatible:scripted", "compatible:small", "compatible:large"',
    });
    expect(await thread.count()).toBe(before);
  });
});

describe('a queued response', () => {
  it('is generated by the model that was chosen at sending, whichever node takes it', async ({ startService }) => {
    const service = await startService({ ...withoutWorker, environment });
    const ada = await service.person();
    const { createThread } = await ada.graphql.data(create, { input: { text: 'Hi', model: 'compatible:large' } });
    const { database } = service;
    // What is chosen for later messages changes nothing about this one.
    await database.thread.update({ where: { id: createThread.threadId }, data: { model: 'compatible:small' } });
    service.model.enqueue([text('Large.')]);
    await service.addNode({}, { concurrency: 4 });
    expect((await usedFor(service, createThread.messageId)).asked).toBe('large');
  });

  it('is generated by the default model if the chosen one is gone, and the log says so', async ({ startService }) => {
    const service = await startService({ ...withoutWorker, environment });
    const ada = await service.person();
    const { createThread } = await ada.graphql.data(create, { input: { text: 'Hi', model: 'compatible:large' } });
    service.model.enqueue([text('Default.')]);
    await service.addNode({ AI_MODELS: '' }, { concurrency: 4 });
    const used = await usedFor(service, createThread.messageId);
    expect(used).toEqual({ asked: 'scripted', stored: 'compatible:scripted' });
    expect(service.log.join('')).toContain(
      'the chosen model is not configured; the default model generates the response',
    );
  });
});

const set = `mutation ($id: ID!, $instructions: String) { setThreadInstructions(input: {id: $id, instructions: $instructions}) {
  __typename ... on Thread { instructions } ... on Error { message } } }`;

async function answered(ada: Person) {
  const sent = await ada.rest.createThread({ text: 'Hi' });
  await ada.rest.answer(sent);
  return sent;
}

const systemOf = ({ model }: TestService) =>
  model.lastRequest.body.messages.filter(({ role }) => role === 'system').map(({ content }) => content);

describe('the instructions of a thread', () => {
  it("reach the model after the operator's own, from the next response on", async ({ service, ada, graphql }) => {
    const { threadId: id, messageId } = await answered(ada);
    expect(systemOf(service)).toEqual(['Operator first.']);
    const { setThreadInstructions } = await graphql.data(set, { id, instructions: 'Answer in verse.' });
    expect(setThreadInstructions).toEqual({ __typename: 'Thread', instructions: 'Answer in verse.' });
    await ada.rest.answer(await ada.rest.send(id, 'Again'));
    expect(systemOf(service)).toEqual(['Operator first.\n\nAnswer in verse.']);
    const again = `mutation ($id: ID!) { regenerateResponse(input: {messageId: $id}) { ... on PostedMessage { threadId messageId } } }`;
    const { regenerateResponse } = await graphql.data(again, { id: messageId });
    await ada.rest.answer(regenerateResponse);
    expect(systemOf(service)).toEqual(['Operator first.\n\nAnswer in verse.']);
  });

  it('are removed by null, and by nothing else', async ({ service, ada, graphql }) => {
    const { threadId: id } = await answered(ada);
    await graphql.data(set, { id, instructions: 'Be brief.' });
    const { setThreadInstructions: forgotten } = await graphql.data(set, { id });
    expect(forgotten.message).toBe('instructions: is required; pass null to remove them');
    const { setThreadInstructions: blank } = await graphql.data(set, { id, instructions: ' \n' });
    expect(blank.message).toBe('instructions: must not be empty');
    const { setThreadInstructions } = await graphql.data(set, { id, instructions: null });
    expect(setThreadInstructions).toEqual({ __typename: 'Thread', instructions: null });
    await ada.rest.answer(await ada.rest.send(id, 'Again'));
    expect(systemOf(service)).toEqual(['Operator first.']);
  });

  it.for([
    ['is longer than 4000 characters', 'x'.repeat(4001), 'instructions: must be at most 4000 characters long'],
    ['has U+0000', 'a\u0000b', 'instructions: must not contain the character U+0000'],
    ['has half a character', 'a\ud800', 'instructions: must not contain unpaired surrogates'],
  ] as const)('are refused if the text %s', async ([, instructions, message], { ada, graphql }) => {
    const { threadId: id } = await answered(ada);
    expect((await graphql.data(set, { id, instructions })).setThreadInstructions.message).toBe(message);
  });

  it('go on in a thread that continues it', async ({ ada, graphql }) => {
    const { threadId: id } = await answered(ada);
    await graphql.data(set, { id, instructions: 'Be brief.' });
    const goOn = `mutation ($id: ID!) { continueThread(input: {threadId: $id, text: "On"}) { ... on PostedMessage { thread { instructions } } } }`;
    const { continueThread } = await graphql.data(goOn, { id });
    expect(continueThread.thread.instructions).toBe('Be brief.');
  });
});
