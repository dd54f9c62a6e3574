/** What a thread is called: by a person, else by a few words of the model, once, else by the beginning of its first message. */
import fc from 'fast-check';
import { describe, expect, it as pure, vi } from 'vitest';
import { cleanName } from '../../../src/modules/responses/naming/clean-name.js';
import { openingOf } from '../../../src/modules/threads/opening.js';
import { signedIn } from '../../auth/people.js';
import { createThreadWith, textFile, uploadFile } from '../../graphql/attachments/attached-file.js';
import { catchUp, presentCursor } from '../../graphql/feeds/threads-feed.js';
import { feedbackPath } from '../../rest/messages/answered-message.js';
import { anyCharacters } from '../../support/any-characters.js';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { serviceTest, it as unnamed } from '../../support/fixtures/service.js';
import { finish, gate, httpError, text, usage, wait } from '../../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';

describe('the beginning of a message', () => {
  pure.each([
    ['Hello', 'Hello'],
    ['\n\n  Tea   for\ttwo \nand more', 'Tea for two'],
    ['', null],
    [' \n\t ', null],
    ['word '.repeat(30), `${'word '.repeat(15).trim()}…`],
    ['x'.repeat(100), `${'x'.repeat(79)}…`],
    ['😀'.repeat(100), `${'😀'.repeat(79)}…`],
    ['👩‍👩‍👧 '.repeat(3), '👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧'],
  ])('of %j is %j', (text, opening) => {
    expect(openingOf(text)).toBe(opening);
  });

  pure('is one line of at most 80 characters, none of which is half', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const opening = openingOf(text);
        expect(opening === null).toBe(text.trim() === '');
        expect(opening ?? '').not.toMatch(/[\n\r]/);
        expect(Array.from(opening ?? '').length).toBeLessThanOrEqual(80);
        expect((opening ?? '').isWellFormed()).toBe(true);
      }),
    );
  });
});

async function namesOf({ graphql }: Person, id: string) {
  const { thread } = await graphql.data('query ($id: ID!) { thread(id: $id) { name title } }', { id });
  return thread;
}

describe('the title of a thread', () => {
  unnamed('is the beginning of its first message while it has no name, and REST has none', async ({ ada }) => {
    const { threadId } = await ada.rest.createThread({ text: 'Tea for two\nHow?' });
    expect(await namesOf(ada, threadId)).toEqual({ name: null, title: 'Tea for two' });
    expect((await ada.rest.get<ThreadBody>(`/threads/${threadId}`)).body.name).toBeNull();
    const named = await ada.rest.createThread({ text: 'Tea', name: 'Coffee' });
    expect(await namesOf(ada, named.threadId)).toEqual({ name: 'Coffee', title: 'Coffee' });
  });

  unnamed(
    'is the beginning of its first message while its name is blank, also in the list of ratings',
    async ({ service }) => {
      const ada = await service.person({ org: 'blank-names', role: 'admin' });
      for (const name of ['', ' \n ']) {
        const { threadId, messageId } = await ada.rest.createThread({ text: 'Tea for two', name });
        expect(await namesOf(ada, threadId)).toEqual({ name, title: 'Tea for two' });
        const [answer] = await ada.rest.answer({ threadId, messageId });
        await ada.rest.post(feedbackPath(threadId, String(answer?.id)), { positive: true });
      }
      const { feedback } = await (await signedIn(service, ada)).graphql('{ feedback { ratings { threadTitle } } }');
      expect(feedback?.ratings).toEqual([{ threadTitle: 'Tea for two' }, { threadTitle: 'Tea for two' }]);
    },
  );

  unnamed('is the name of the first file of a message that has files alone', async ({ service, ada }) => {
    const id = await uploadFile(service, ada, textFile('Oolong', 'menu.txt'));
    const { threadId } = await createThreadWith(service, ada, { text: '', attachmentIds: [id] });
    expect(await namesOf(ada, threadId)).toEqual({ name: null, title: 'menu.txt' });
  });
});

const it = serviceTest({ environment: { AI_THREAD_NAMES: 'on' } })
  .extend('person', ({ service }) => newcomer(service))
  .extend('clean', { auto: true }, ({ service }) => {
    service.model.namings.length = 0;
    service.model.nameBy(() => [text('"Tea for two."')]);
  });

/** Waits until the model has given the thread a title, in place of the beginning of its first message. */
async function titled(service: TestService, person: Person, id: string) {
  return vi.waitFor(
    async () => {
      const stored = await service.database.thread.findUniqueOrThrow({ where: { id } });
      expect(stored.generatedName).not.toBeNull();
      return namesOf(person, id);
    },
    { timeout: 10_000 },
  );
}

async function found(person: Person, q: string) {
  const query = 'query ($q: String) { threads(filter: {q: $q}) { edges { match { snippet } node { id } } } }';
  const { threads } = await person.graphql.data(query, { q });
  return threads.edges;
}

async function rename(person: Person, id: string, name: string | null): Promise<void> {
  const mutation = `mutation ($id: ID!, $name: String) { renameThread(input: {id: $id, name: $name}) { __typename } }`;
  expect(await person.graphql.data(mutation, { id, name })).toEqual({ renameThread: { __typename: 'Thread' } });
}

describe('a thread without a name', () => {
  it('is named by the model after its first answer, once; REST has no name', async ({ service, person }) => {
    const { threadId } = await person.rest.readyThread({ text: 'How do I brew tea for two?' });
    const { body: before } = await person.rest.get<{ updated_at: string }>(`/threads/${threadId}`);
    expect(await titled(service, person, threadId)).toEqual({ name: null, title: 'Tea for two' });
    const { body: after } = await person.rest.get<{ name: string | null; updated_at: string }>(`/threads/${threadId}`);
    expect([after.name, after.updated_at]).toEqual([null, before.updated_at]);
    await person.rest.answer(await person.rest.send(threadId, 'And for three?'));
    const { threadId: next } = await person.rest.readyThread({ text: 'Another' });
    await titled(service, person, next);
    expect(service.model.namings).toHaveLength(2);
  });

  it('is reported to the followers of the list when it has a title', async ({ service, person }) => {
    const asked = gate();
    service.model.nameBy(() => [wait(asked.passed), text('Tea')]);
    const { threadId } = await person.rest.readyThread({ text: 'Hello' });
    const cursor = await presentCursor(person.graphql);
    asked.open();
    await titled(service, person, threadId);
    const changes = await catchUp(person.graphql, cursor);
    expect(changes.some((change) => change.type === 'ThreadUpserted' && change.thread.id === threadId)).toBe(true);
  });

  it('keeps the name that a person gives while the model thinks about one', async ({ service, person }) => {
    const asked = gate();
    service.model.nameBy(() => [wait(asked.passed), text('The words of the model')]);
    const { threadId } = await person.rest.readyThread({ text: 'Hello' });
    await expect.poll(() => service.model.namings).toHaveLength(1);
    await rename(person, threadId, 'Mine');
    asked.open();
    const { threadId: later } = await person.rest.readyThread({ text: 'Next' });
    await titled(service, person, later);
    expect(await namesOf(person, threadId)).toEqual({ name: 'Mine', title: 'Mine' });
    await rename(person, threadId, null);
    expect(await namesOf(person, threadId)).toEqual({ name: null, title: 'Hello' });
  });

  it('is found by that title until a person names it, and again when they remove the name', async ({ service }) => {
    const person = await newcomer(service);
    const { threadId } = await person.rest.readyThread({ text: 'Hello' });
    await titled(service, person, threadId);
    expect(await found(person, 'two')).toEqual([{ node: { id: threadId }, match: { snippet: 'Tea for two' } }]);
    await rename(person, threadId, 'Mine');
    expect(await found(person, 'two')).toEqual([]);
    expect(await found(person, 'mine')).toHaveLength(1);
    await rename(person, threadId, null);
    expect(await namesOf(person, threadId)).toEqual({ name: null, title: 'Tea for two' });
    expect(await found(person, 'two')).toHaveLength(1);
  });

  it('is named after its next answer if the model fails to; the conversation goes on', async ({ service, person }) => {
    service.model.nameBy(() => [httpError(500, { message: 'Not now' })]);
    const { threadId } = await person.rest.readyThread({ text: 'Hello' });
    await expect.poll(() => service.log.join('')).toContain('the thread could not be named');
    service.model.nameBy(() => [text('At last')]);
    await person.rest.answer(await person.rest.send(threadId, 'Again'));
    expect(await titled(service, person, threadId)).toEqual({ name: null, title: 'At last' });
  });

  it('gives the model its latest messages, shortened, and no more than that', async ({ service, person }) => {
    service.model.enqueue([text('b'.repeat(100_000))]);
    const { threadId } = await person.rest.readyThread({ text: 'a'.repeat(50_000) });
    await titled(service, person, threadId);
    const sizes = service.model.namings.flatMap(({ body }) =>
      body.messages.map(({ content }) => String(content).length),
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2000);
  });
});

describe('the usage of an organization', () => {
  it('has the tokens that names took, which are no responses, at the owner of the thread', async ({ service }) => {
    const person = await newcomer(service);
    service.model.nameBy(() => [text('Tea'), usage(300, 4), finish()]);
    service.model.enqueue([text('Hi'), usage(100, 20), finish()]);
    const { threadId } = await person.rest.readyThread({ text: 'Hello' });
    await titled(service, person, threadId);
    const select = { model: true, responses: true, inputTokens: true, outputTokens: true };
    const rows = await service.database.usageDay.findMany({ where: { userId: person.id }, select });
    expect(rows).toEqual([{ model: 'compatible:scripted', responses: 1, inputTokens: 400n, outputTokens: 24n }]);
  });
});

it('a thread with a name costs no call of the model', async ({ service, person }) => {
  await person.rest.readyThread({ text: 'Hello', name: 'Named' });
  const { threadId } = await person.rest.readyThread({ text: 'Hello' });
  await titled(service, person, threadId);
  expect(service.model.namings).toHaveLength(1);
});

it('a service that stops gives up the name that it is waiting for', async ({ service: _ }) => {
  const service = await startTestService({ environment: { AI_THREAD_NAMES: 'on' } });
  const never = gate();
  service.model.nameBy(() => [wait(never.passed), text('Too late')]);
  const person = await service.person();
  await person.rest.readyThread({ text: 'Hello' });
  await expect.poll(() => service.model.namings).toHaveLength(1);
  const [naming] = service.model.namings;
  await service.stop();
  await naming?.closed;
  expect(service.log.join('')).not.toContain('could not be named');
  never.open();
});

describe('the name that a model gives', () => {
  pure.each([
    ['Tea for two', 'Tea for two'],
    ['"Tea for two."', 'Tea for two'],
    ['**Tea for two**', 'Tea for two'],
    ['Title: Tea for two', 'Tea for two'],
    ['„Titel: Tee für zwei“', 'Tee für zwei'],
    ['Tea for two\n\nThis name says that…', 'Tea for two'],
    ['# Tea\u202e for\u0000 two', 'Tea for two'],
    ['C# and .NET 8', 'C# and .NET 8'],
    ['お茶の淹れ方', 'お茶の淹れ方'],
    ['  \n ""\n', null],
    ['***', null],
  ])('%j is stored as %j', (answer, name) => {
    expect(cleanName(answer)).toBe(name);
  });

  pure('is cut after 60 characters as people count them, with a mark', () => {
    expect(cleanName('👩‍👩‍👧‍👦'.repeat(61))).toBe(`${'👩‍👩‍👧‍👦'.repeat(59)}…`);
    expect(cleanName('a'.repeat(60))).toBe('a'.repeat(60));
    expect(cleanName('a'.repeat(65_536))).toBe(`${'a'.repeat(59)}…`);
  });

  pure('is null or a short line of well-formed text, whatever the answer is', () => {
    const answers = anyCharacters({ maxLength: 300 });
    fc.assert(
      fc.property(answers, (answer) => {
        const name = cleanName(answer);
        if (name === null) return;
        expect(name.isWellFormed()).toBe(true);
        expect(name).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
        expect(name.trim()).toBe(name);
        expect(name).not.toBe('');
      }),
    );
  });
});
