/** Going on from a thread in a new one (specification, States, rule 2), in every state and for every caller. */
import { describe, expect } from 'vitest';
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import { textsOf } from '../../modules/viewing/response-facts.js';
import { activeThread, failedThread } from '../../rest/threads/thread-stages.js';
import type { Data } from '../../support/clients/graphql-client.js';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { text } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, addThreads, colleagueOf, newcomer } from '../../support/threads.js';

const it = serviceTest()
  .extend('ada', { scope: 'file' }, ({ service }) => newcomer(service))
  .extend('colleague', { scope: 'file' }, ({ service, ada }) => colleagueOf(service, ada))
  /** A service that answers nothing, so that what is tested does not depend on the state of a response. */
  .extend('quiet', { scope: 'file' }, ({ startService }) => startService({ settings: { concurrency: 0 } }))
  .extend('owner', ({ quiet }) => newcomer(quiet))
  .extend('reader', ({ quiet, owner }) => colleagueOf(quiet, owner));

const mutation = `mutation ($input: ContinueThreadInput!) { continueThread(input: $input) {
  __typename
  ... on PostedMessage { threadId messageId replayed }
  ... on Error { code message }
  ... on InvalidInputError { problems { field message } }
  ... on ThreadNotReadyError { state } } }`;

type Outcome = Data<typeof mutation>['continueThread'];
type Input = InputOf<typeof mutation>['input'];

async function goOn({ graphql }: Person, input: Omit<Input, 'text'> & Partial<Input>): Promise<Outcome> {
  const full = { text: 'And now?', ...input };
  return (await graphql.data(mutation, { input: full })).continueThread;
}

const threadOf = async ({ rest }: Person, id: string) => (await rest.get<ThreadBody>(`/threads/${id}`)).body;

describe('continueThread › a thread that accepts no more messages', () => {
  it('creates a thread that begins with a summary of it, and is answered', async ({ service, ada }) => {
    const old = await failedThread(
      { service, rest: ada.rest },
      { text: 'Where is Rome?', name: 'Rome', said: 'In It' },
    );
    const before = await threadOf(ada, old.threadId);
    const posted = await goOn(ada, { threadId: old.threadId });
    expect(posted).toMatchObject({ __typename: 'PostedMessage', replayed: false });
    await ada.rest.answer(posted);
    const summary = [
      `This thread continues the thread "Rome" (${old.threadId}). An extract of what was said there:`,
      'User: Where is Rome?',
      'Assistant: In It',
    ].join('\n\n');
    expect(await textsOf(ada.rest, posted)).toEqual([
      `summary: ${summary}`,
      'user: And now?',
      'assistant: Hello from the model.',
    ]);
    expect(service.model.lastRequest.body.messages.slice(1).map(({ content }) => content)).toEqual([
      `Summary of the conversation so far:\n\n${summary}\n\nAnd now?`,
    ]);
    expect(await threadOf(ada, old.threadId)).toEqual(before);
  });

  it('can be continued in its turn', async ({ service, ada }) => {
    const old = await failedThread({ service, rest: ada.rest });
    const second = await goOn(ada, { threadId: old.threadId, text: 'Second' });
    await ada.rest.answer(second);
    const third = await goOn(ada, { threadId: second.threadId, text: 'Third' });
    await ada.rest.answer(third);
    const [summary] = await textsOf(ada.rest, third);
    expect(summary).toContain(`Summary of what came before: This thread continues the thread ${old.threadId}.`);
    expect(summary).toContain('User: Second\n\nAssistant: Hello from the model.');
  });
});

describe('continueThread › the message whose response failed', () => {
  it('is sent again without a text, after a summary of what came before it', async ({ service, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'Where is Rome?' });
    service.model.enqueue([text('It'), { do: 'finish', reason: 'content_filter' }]);
    await ada.rest.streamToEnd(await ada.rest.send(threadId, 'And Paris?'));
    const before = await textsOf(ada.rest, { threadId });
    const posted = await goOn(ada, { threadId, text: null });
    await ada.rest.answer(posted);
    const [summary, ...others] = await textsOf(ada.rest, posted);
    expect(summary).toMatch(/Where is Rome\?\n\nAssistant: Hello from the model\.$/);
    expect(others).toEqual(['user: And Paris?', 'assistant: Hello from the model.']);
    expect(await textsOf(ada.rest, { threadId })).toEqual(before);
  });

  it('needs no summary if nothing came before it', async ({ service, ada }) => {
    const { threadId } = await failedThread({ service, rest: ada.rest }, { text: 'Where is Rome?' });
    const posted = await goOn(ada, { threadId, text: null });
    await ada.rest.answer(posted);
    expect(await textsOf(ada.rest, posted)).toEqual(['user: Where is Rome?', 'assistant: Hello from the model.']);
  });

  it('is required in place of a text', async ({ ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const refusal = await goOn(ada, { threadId, text: null });
    expect(refusal).toMatchObject({ __typename: 'InvalidInputError', problems: [{ field: 'text' }] });
  });
});

describe('continueThread › the state of the earlier thread', () => {
  it.for(['ready', 'error', 'interrupted'] as const)('%s: goes on', async (state, { service, ada }) => {
    const threadId = await addThread(service, ada, { state });
    const posted = await goOn(ada, { threadId });
    await ada.rest.answer(posted);
    expect((await threadOf(ada, posted.threadId)).state).toBe('ready');
    expect((await threadOf(ada, threadId)).state).toBe(state);
  });

  it('active: is refused with the state, and succeeds once the response is complete', async ({ service, ada }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const before = await service.database.thread.count();
    const refusal = { __typename: 'ThreadNotReadyError', code: 'THREAD_NOT_READY', state: 'ACTIVE' };
    expect(await goOn(ada, { threadId: active.threadId })).toMatchObject(refusal);
    expect(await service.database.thread.count()).toBe(before);
    active.finish();
    await ada.rest.answer(active);
    const posted = await goOn(ada, { threadId: active.threadId });
    expect((await textsOf(ada.rest, posted))[0]).toContain('Assistant: Hello');
    await ada.rest.answer(posted);
  });
});

describe('continueThread › the new thread', () => {
  it.for([
    [{}, { name: 'Rome', is_private: true }],
    [
      { name: null, isPrivate: null },
      { name: 'Rome', is_private: true },
    ],
    [
      { name: 'Paris', isPrivate: false },
      { name: 'Paris', is_private: false },
    ],
  ] as const)(
    'has its name and privacy from the earlier one, unless it is given others: case %#',
    async ([input, expected], { service, ada }) => {
      const threadId = await addThread(service, ada, { name: 'Rome', isPrivate: true });
      const posted = await goOn(ada, { threadId, ...input });
      expect(await threadOf(ada, posted.threadId)).toMatchObject(expected);
      await ada.rest.answer(posted);
    },
  );

  it('belongs to the caller, even if the earlier one does not', async ({ service, ada, colleague }) => {
    const threadId = await addThread(service, ada);
    const posted = await goOn(colleague, { threadId });
    expect((await threadOf(ada, posted.threadId)).owner.id).toBe(colleague.id);
    await colleague.rest.answer(posted);
  });
});

describe('continueThread › refusals', () => {
  it('is InvalidInputError with every problem, and nothing is stored', async ({ service, ada }) => {
    const threadId = await addThread(service, ada);
    const before = await service.database.thread.count();
    const problems = ['text', 'name', 'idempotencyKey'].map((field) => expect.objectContaining({ field }));
    const refused = await goOn(ada, { threadId, text: ' ', name: 'x'.repeat(256), idempotencyKey: '' });
    expect(refused).toMatchObject({ __typename: 'InvalidInputError', problems });
    expect(await service.database.thread.count()).toBe(before);
  });
});

describe('continueThread › idempotencyKey', () => {
  it('creates one thread for a repeated request, even a concurrent one', async ({ service, ada }) => {
    const threadId = await addThread(service, ada);
    const before = await service.database.thread.count();
    const input = { threadId, idempotencyKey: 'once' };
    const all = await Promise.all(Array.from({ length: 4 }, () => goOn(ada, input)));
    const again = await goOn(ada, input);
    expect(new Set([...all, again].map((posted) => posted.threadId)).size).toBe(1);
    expect(again.replayed).toBe(true);
    expect(await service.database.thread.count()).toBe(before + 1);
    expect(await goOn(ada, { ...input, text: 'Other' })).toMatchObject({ __typename: 'IdempotencyKeyReusedError' });
    await ada.rest.answer(again);
  });
});

/** The id of the thread that continues it. */
async function next(person: Person, threadId: string, isPrivate = false): Promise<string> {
  return (await goOn(person, { threadId, isPrivate })).threadId;
}

async function linksOf(person: Person, id: string) {
  const query = 'query ($id: ID!) { thread(id: $id) { continuedFrom { id } continuedIn { id } } }';
  return (await person.graphql.data(query, { id })).thread;
}

const setPrivate = (service: TestService, id: string, isPrivate: boolean) =>
  service.database.thread.update({ where: { id }, data: { isPrivate } });

describe('continuedFrom and continuedIn', () => {
  it('name the other thread, or are null if there is none', async ({ quiet, owner, reader }) => {
    const old = await addThread(quiet, owner);
    expect(await linksOf(owner, old)).toEqual({ continuedFrom: null, continuedIn: null });
    const id = await next(owner, old);
    expect(await linksOf(owner, old)).toEqual({ continuedFrom: null, continuedIn: { id } });
    expect(await linksOf(owner, id)).toEqual({ continuedFrom: { id: old }, continuedIn: null });
    expect(await linksOf(reader, id)).toEqual({ continuedFrom: { id: old }, continuedIn: null });
  });

  it('lead to the newest continuation that the viewer sees', async ({ quiet, owner, reader }) => {
    const old = await addThread(quiet, owner);
    const first = await next(owner, old);
    const second = await next(owner, old);
    const hidden = await next(reader, old, true);
    expect((await linksOf(owner, old)).continuedIn).toEqual({ id: second });
    expect((await linksOf(reader, old)).continuedIn).toEqual({ id: hidden });
    await setPrivate(quiet, second, true);
    expect((await linksOf(reader, old)).continuedIn).toEqual({ id: hidden });
    expect((await linksOf(reader, first)).continuedFrom).toEqual({ id: old });
  });

  it('give the whole thread that they lead to, in a list too', async ({ quiet, owner }) => {
    const [one = '', two = ''] = await addThreads(quiet, owner, [{ name: 'One' }, { name: 'Two' }]);
    await next(owner, one);
    await next(owner, two);
    const query = `{ threads(first: 10, orderBy: {field: CREATED_AT, direction: ASC}) { edges { node {
      id name continuedFrom { name owner { id } } continuedIn { name state continuedFrom { id } } } } } }`;
    const { threads } = await owner.graphql.data(query);
    const itsOwner = { id: owner.id };
    const continuation = (name: string, id: string) => ({ name, state: 'WAITING', continuedFrom: { id } });
    expect(threads.edges.map(({ node }) => node)).toEqual(
      expect.arrayContaining([
        { id: one, name: 'One', continuedFrom: null, continuedIn: continuation('One', one) },
        { id: two, name: 'Two', continuedFrom: null, continuedIn: continuation('Two', two) },
        expect.objectContaining({ name: 'One', continuedFrom: { name: 'One', owner: itsOwner }, continuedIn: null }),
        expect.objectContaining({ name: 'Two', continuedFrom: { name: 'Two', owner: itsOwner }, continuedIn: null }),
      ]),
    );
  });
});
