import { describe, expect, vi } from 'vitest';
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import type { RunningService } from '../../../src/serve.js';
import { textsOf } from '../../modules/viewing/response-facts.js';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { MessageBody, PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { type Person, startTestService } from '../../support/service.js';

const it = serviceTest()
  .extend('api', { scope: 'file' }, ({ service }) => service.addNode({ ROLE: 'api' }))
  .extend('sent', ({ service, ada }) => activeThread({ service, rest: ada.rest }));

const stop = `mutation ($id: ID!) { stopResponse(messageId: $id) {
  __typename ... on StoppedResponse { wasStopped thread { state interruptReason } } ... on Error { code } } }`;
const resume = `mutation ($id: ID!) { resumeThread(id: $id) {
  __typename ... on Thread { state interruptReason } ... on ThreadNotInterruptedError { state } ... on Error { code message } } }`;

async function run(ada: Person, query: string, id: string, node?: RunningService): Promise<unknown> {
  const graphql = node ? new GraphQLClient({ origin: node.url, token: ada.token }) : ada.graphql;
  return Object.values(await graphql.data<string>(query, { id }))[0];
}

describe('Message.stopReason', () => {
  it('marks the answer that was stopped, also when the conversation goes on', async ({ ada, sent }) => {
    expect(await run(ada, stop, sent.messageId)).toMatchObject({ wasStopped: true });
    await run(ada, resume, sent.threadId);
    await ada.rest.answer(await ada.rest.send(sent.threadId, 'And now?'));
    const reasons = 'query ($id: ID!) { thread(id: $id) { messages { edges { node { stopReason } } } } }';
    const nodes = [null, 'Stopped by Ada.', null, null].map((stopReason) => ({ node: { stopReason } }));
    expect(await run(ada, reasons, sent.threadId)).toEqual({ messages: { edges: nodes } });
  });
});

describe('stopResponse', () => {
  for (const where of ['the node that runs it', 'another node'] as const) {
    it(`sent to ${where} reaches the model and keeps its text`, async ({ service, api, ada, sent }) => {
      const { closed } = service.model.lastRequest;
      const viewer = await ada.rest.stream(sent);
      await viewer.next();
      const node = where === 'another node' ? api : undefined;
      expect(await run(ada, stop, sent.messageId, node)).toEqual({
        __typename: 'StoppedResponse',
        wasStopped: true,
        thread: { state: 'INTERRUPTED', interruptReason: 'Stopped by Ada.' },
      });
      await closed;
      expect((await viewer.next()).value).toMatchObject({ event: 'error', data: { message: 'Stopped by Ada.' } });
      const { body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${sent.threadId}/messages`);
      expect(body.data[1]?.contents).toEqual([{ type: 'text', text: 'Hel' }]);
      const poll = await ada.rest.get(`/threads/${sent.threadId}/messages/${sent.messageId}/response`);
      expect([poll.status, poll.body.code]).toEqual([404, 'response_interrupted']);
    });
  }

  it('ends a response that still waits for a worker', async () => {
    await using idle = await startTestService({ environment: { ROLE: 'api' } });
    const person = await idle.person();
    const { messageId } = await person.rest.createThread({ text: 'nobody is there' });
    const outcome = await run(person, stop, messageId);
    expect(outcome).toMatchObject({ wasStopped: true, thread: { state: 'INTERRUPTED' } });
  });

  it('reports that the response had already ended, and changes nothing', async ({ ada }) => {
    const sent = await ada.rest.readyThread({ text: 'hello' });
    expect(await run(ada, stop, sent.messageId)).toMatchObject({ wasStopped: false, thread: { state: 'READY' } });
  });

  it('says the same to whoever repeats it, whose answer may have been lost', async ({ ada, sent }) => {
    const first = await run(ada, stop, sent.messageId);
    expect(first).toMatchObject({ wasStopped: true });
    expect(await run(ada, stop, sent.messageId)).toEqual(first);
  });

  it('does not touch the next response if it comes late', async ({ service, ada }) => {
    const first = await ada.rest.readyThread({ text: 'hello' });
    const held = gate();
    service.model.enqueue([text('second'), wait(held.passed)]);
    const second = await ada.rest.send(first.threadId, 'next');
    await run(ada, stop, first.messageId);
    held.open();
    expect((await ada.rest.answer(second))[0]?.contents).toEqual([{ type: 'text', text: 'second' }]);
  });

  it('ends the response without the worker if that does not respond', async ({ service, ada, sent }) => {
    await service.database.$executeRaw`UPDATE response SET worker_id = 'gone' WHERE message_id = ${sent.messageId}`;
    expect(await run(ada, stop, sent.messageId)).toMatchObject({ wasStopped: true, thread: { state: 'INTERRUPTED' } });
    sent.finish();
  });
});

describe('resumeThread', () => {
  it('makes an interrupted thread accept messages again', async ({ ada, sent }) => {
    await run(ada, stop, sent.messageId);
    expect((await ada.rest.post(`/threads/${sent.threadId}/messages`, { text: 'no' })).status).toBe(409);
    expect(await run(ada, resume, sent.threadId)).toEqual({
      __typename: 'Thread',
      state: 'READY',
      interruptReason: null,
    });
    const answer = await ada.rest.answer(await ada.rest.send(sent.threadId, 'and now?'));
    expect(answer).toHaveLength(1);
    expect((await ada.rest.get<ThreadBody>(`/threads/${sent.threadId}`)).body.state).toBe('ready');
  });

  it('refuses a thread that is busy', async ({ ada, sent }) => {
    expect(await run(ada, resume, sent.threadId)).toMatchObject({
      code: 'THREAD_NOT_INTERRUPTED',
      message: expect.stringMatching(/Wait for the response to end, then try again\.$/),
      state: 'ACTIVE',
    });
    sent.finish();
    await vi.waitFor(async () => expect(await run(ada, resume, sent.threadId)).toMatchObject({ state: 'READY' }), {
      timeout: 10_000,
    });
  });
});

const mutation = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  __typename ... on PostedMessage { messageId } ... on ThreadNotReadyError { state } } }`;

async function send({ graphql }: Person, input: InputOf<typeof mutation>['input']) {
  return (await graphql.data(mutation, { input })).sendMessage;
}

describe('sendMessage(onBusy)', () => {
  it('REJECT, the default, refuses while a response is under way', async ({ service, ada }) => {
    const busy = await activeThread({ service, rest: ada.rest });
    expect(await send(ada, { threadId: busy.threadId, text: 'second' })).toEqual({
      __typename: 'ThreadNotReadyError',
      state: 'ACTIVE',
    });
    busy.finish();
    await ada.rest.answer(busy);
  });

  it('INTERRUPT stops the response, keeps its text, and gives the model both', async ({ service, ada }) => {
    const { threadId } = await activeThread({ service, rest: ada.rest });
    const { messageId } = await send(ada, { threadId, text: 'second', onBusy: 'INTERRUPT' });
    await ada.rest.answer({ threadId, messageId });
    const outline = ['user: Hi', 'assistant: Hel', 'user: second', 'assistant: Hello from the model.'];
    expect(await textsOf(ada.rest, { threadId })).toEqual(outline);
    const sent = service.model.lastRequest.body.messages.map(({ role }) => role);
    expect(sent.filter((role) => role !== 'system')).toEqual(['user', 'assistant', 'user']);
  });

  it('INTERRUPT by many at once sends each once at most, and leaves one response', async ({ service, ada }) => {
    const { threadId } = await activeThread({ service, rest: ada.rest });
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) => send(ada, { threadId, text: `rival ${index}`, onBusy: 'INTERRUPT' })),
    );
    const accepted = outcomes.filter((outcome) => outcome.__typename === 'PostedMessage');
    expect(accepted.length).toBeGreaterThan(0);
    for (const { messageId } of accepted) await ada.rest.streamToEnd({ threadId, messageId });
    const texts = await textsOf(ada.rest, { threadId });
    expect(texts.filter((line) => line.startsWith('user:'))).toHaveLength(1 + accepted.length);
  });
});
