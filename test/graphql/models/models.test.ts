/** A model is chosen when a message is sent, and generates exactly that response and those of the thread after it. */
import { describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import { text } from '../../support/model/model-script.js';
import { type TestService, withoutWorker } from '../../support/service.js';

const environment = { AI_MODELS: 'compatible:small=Small and quick, compatible:large' };
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
