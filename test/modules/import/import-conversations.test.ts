/**
 * Conversations of other services that are imported: they are threads like any other, once each, and only their owner sees them.
 */
import { describe, expect } from 'vitest';
import { importLimits } from '../../../src/modules/import/file/import-limits.js';
import { announceFile, uploadFile } from '../../graphql/attachments/attached-file.js';
import type { Data } from '../../support/clients/graphql-client.js';
import type { MessageBody, PageBody, PollBody, ThreadBody } from '../../support/clients/rest-types.js';
import { newcomersTest } from '../../support/fixtures/service.js';
import { reasoning, text } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { type ExportName, exportBytes } from './exports.js';

const it = newcomersTest();

const mutation = `mutation ($id: ID!) { importConversations(input: { attachmentId: $id }) {
  __typename
  ... on ConversationImport { imported existing refused { reason count } leftOut { kind count } }
  ... on InvalidInputError { problems { field message } }
} }`;

type Result = Data<typeof mutation>['importConversations'];

function jsonFile(content: string | Buffer) {
  return { name: 'conversations.json', mediaType: 'application/json', content: new Uint8Array(Buffer.from(content)) };
}

async function importUpload({ graphql }: Person, id: string): Promise<Result> {
  const { importConversations } = await graphql.data(mutation, { id });
  return importConversations;
}

async function importExport(service: TestService, person: Person, content: string | Buffer): Promise<Result> {
  return importUpload(person, await uploadFile(service, person, jsonFile(content)));
}

const all: ExportName[] = ['chatGpt', 'openWebUi', 'libreChat'];

async function importAll(service: TestService, person: Person): Promise<Result[]> {
  const results: Result[] = [];
  for (const name of all) results.push(await importExport(service, person, exportBytes(name)));
  return results;
}

async function threadsOf({ rest }: Person, query = ''): Promise<ThreadBody[]> {
  const { body } = await rest.get<PageBody<ThreadBody>>(`/threads?archived=true&sort_by=created_at${query}`);
  return body.data;
}

async function named(person: Person, name: string): Promise<ThreadBody> {
  const thread = (await threadsOf(person)).find((found) => found.name === name);
  if (!thread) throw new Error(`There is no thread ${name}.`);
  return thread;
}

async function messagesOf({ rest }: Person, id: string): Promise<MessageBody[]> {
  return (await rest.get<PageBody<MessageBody>>(`/threads/${id}/messages`)).body.data;
}

describe('Mutation.importConversations', () => {
  it('imports each format, and counts what it leaves out', async ({ service, ada }) => {
    expect(await importAll(service, ada)).toMatchObject([
      {
        imported: 2,
        existing: 0,
        refused: [
          { reason: 'MALFORMED', count: 1 },
          { reason: 'EMPTY', count: 1 },
        ],
        leftOut: expect.arrayContaining([
          { kind: 'BRANCH', count: 1 },
          { kind: 'TOOL', count: 2 },
          { kind: 'FILE', count: 1 },
        ]),
      },
      { imported: 1, refused: [{ reason: 'MALFORMED', count: 1 }] },
      { imported: 1, refused: [] },
    ]);
    const threads = await threadsOf(ada);
    expect(threads.map(({ name, state, is_private, archived }) => [name, state, is_private, archived])).toEqual([
      ['Boats', 'ready', true, false],
      ['Bread', 'ready', true, false],
      ['Tea in the afternoon', 'ready', true, false],
      [null, 'ready', true, true],
    ]);
    expect(threads.at(-1)?.created_at).toBe('2020-09-13T12:26:40.000Z');
  });

  it('shows the active branch in order, with its times, and the answers of each message', async ({ service, ada }) => {
    await importAll(service, ada);
    const tea = await named(ada, 'Tea in the afternoon');
    const messages = await messagesOf(ada, tea.id);
    expect(messages.map(({ role, contents, created_at }) => [role, contents, created_at])).toEqual([
      ['user', [{ type: 'text', text: 'Which tea is in the picture?' }], '2023-11-14T22:13:21.500Z'],
      ['assistant', [{ type: 'text', text: 'It is **Sencha**.' }], '2023-11-14T22:13:30.000Z'],
      ['assistant', [{ type: 'text', text: 'Steep it at 70 °C.' }], '2023-11-14T22:13:32.000Z'],
      ['user', [{ type: 'text', text: 'Thank you, umbrella weather today' }], '2023-11-14T22:26:40.000Z'],
      ['assistant', [{ type: 'text', text: 'Enjoy it.' }], '2023-11-14T22:28:20.000Z'],
    ]);
    const [question] = messages;
    const path = `/threads/${tea.id}/messages/${question?.id}/response`;
    const { status, body } = await ada.rest.get<PollBody>(path);
    expect([status, body.messages?.map(({ id }) => id)]).toEqual([200, messages.slice(1, 3).map(({ id }) => id)]);
    const events = await ada.rest.streamToEnd({ threadId: tea.id, messageId: question?.id ?? '' });
    expect(events.at(-1)?.event).toBe('done');
    const { model } = await service.database.response.findUniqueOrThrow({ where: { messageId: question?.id ?? '' } });
    expect(model).toBe('gpt-4o');
    const archived = (await threadsOf(ada)).find((thread) => thread.archived);
    const [alone] = await messagesOf(ada, archived?.id ?? '');
    const unanswered = await ada.rest.get(`/threads/${archived?.id}/messages/${alone?.id}/response`);
    expect([unanswered.status, alone?.role]).toEqual([404, 'user']);
  });

  it('keeps the order of activity, and tells whoever asks what has changed', async ({ service, database, ada }) => {
    const before = new Date().toISOString();
    await importAll(service, ada);
    const query =
      '{ threads(first: 9, orderBy: { field: ACTIVE_AT, direction: DESC }) { edges { node { title activeAt history { what } } } } }';
    const { threads } = await ada.graphql.data(query);
    expect(threads.edges.map(({ node }) => node)).toEqual([
      { title: 'Boats', activeAt: '2024-05-01T10:01:00.000Z', history: [{ what: 'IMPORTED' }] },
      { title: 'Bread', activeAt: '2024-03-09T16:00:20.000Z', history: [{ what: 'IMPORTED' }] },
      { title: 'Tea in the afternoon', activeAt: '2023-11-14T22:28:20.000Z', history: [{ what: 'IMPORTED' }] },
    ]);
    expect(await threadsOf(ada, `&updated_since=${before}`)).toHaveLength(4);
    const { organizationId } = await database.user.findUniqueOrThrow({ where: { id: ada.id } });
    expect(await database.usageDay.count({ where: { organizationId } })).toBe(0);
  });

  it('is found by its owner, and by nobody else', async ({ service, ada, bob }) => {
    await importAll(service, ada);
    const tea = await named(ada, 'Tea in the afternoon');
    expect((await threadsOf(ada, '&q=umbrella')).map(({ id }) => id)).toEqual([tea.id]);
    expect(await threadsOf(ada, '&q=coffee')).toEqual([]);
    expect(await threadsOf(bob)).toEqual([]);
    expect((await bob.rest.get(`/threads/${tea.id}`)).status).toBe(404);
    expect((await bob.rest.get(`/threads/${tea.id}/messages`)).status).toBe(404);
  });

  it('goes on like any other thread', async ({ service, ada }) => {
    await importAll(service, ada);
    const boats = await named(ada, 'Boats');
    service.model.enqueue([reasoning('Water'), text('Ducks float too.')]);
    const [answer] = await ada.rest.answer(await ada.rest.send(boats.id, 'And ducks?'));
    expect(answer?.contents).toEqual([{ type: 'text', text: 'Ducks float too.' }]);
    expect(JSON.stringify(service.model.requests.at(-1)?.body)).toContain('Boats float.');
    expect((await messagesOf(ada, boats.id)).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('imports a conversation once a person, also at once, and again when it is gone', async ({ service, ada, bob }) => {
    const both = await Promise.all([0, 1].map(() => importExport(service, ada, exportBytes('chatGpt'))));
    const sums = (['imported', 'existing'] as const).map((what) =>
      both.reduce((sum, result) => sum + (result[what] ?? 0), 0),
    );
    expect(sums).toEqual([2, 2]);
    expect(await threadsOf(ada)).toHaveLength(2);
    expect(await importExport(service, bob, exportBytes('chatGpt'))).toMatchObject({ imported: 2 });
    const tea = await named(ada, 'Tea in the afternoon');
    await ada.graphql.data('mutation ($id: ID!) { deleteThread(id: $id) { __typename } }', { id: tea.id });
    expect(await importExport(service, ada, exportBytes('chatGpt'))).toMatchObject({ imported: 1, existing: 1 });
  });

  it('takes an upload of one’s own, and removes it', async ({ service, database, ada, bob }) => {
    const id = await uploadFile(service, ada, jsonFile(exportBytes('libreChat')));
    const refusal = (message: string) => ({
      __typename: 'InvalidInputError',
      problems: [{ field: 'attachmentId', message }],
    });
    const notYours = { __typename: 'NotFoundError' };
    expect(await importUpload(bob, id)).toMatchObject(notYours);
    expect(await importUpload(ada, await announceFile(service, ada, jsonFile('[]')))).toMatchObject(notYours);
    expect(await importUpload(ada, id)).toMatchObject({ imported: 1 });
    expect(await database.attachment.count({ where: { id } })).toBe(0);
    expect(await importUpload(ada, id)).toMatchObject(notYours);
    const { batchConversations } = importLimits;
    const many = JSON.stringify(Array.from({ length: batchConversations + 1 }, () => ({})));
    expect(await importExport(service, ada, many)).toMatchObject(
      refusal(`must contain at most ${batchConversations} conversations`),
    );
    expect(await importExport(service, ada, '7')).toMatchObject(
      refusal('must contain a JSON list of conversations, or one of them'),
    );
  });

  it('stores the largest conversation within the time of a statement, with any times', async ({ service, ada }) => {
    const { messages: most, characters } = importLimits;
    const messages = Array.from({ length: most }, (_, at) => ({
      isCreatedByUser: at % 2 === 0,
      text: `${'Wörter '.repeat(characters / most / 7 - 1)}`,
      createdAt: at % 2 === 0 ? '2090-01-01T00:00:00Z' : 'never',
    }));
    const result = await importExport(service, ada, JSON.stringify({ conversationId: 'c', title: 'Long', messages }));
    expect(result).toMatchObject({ imported: 1, refused: [] });
    const long = await named(ada, 'Long');
    expect(Date.parse(long.created_at)).toBeLessThanOrEqual(Date.now());
    const page = await messagesOf(ada, long.id);
    const times = page.map(({ created_at }) => created_at);
    expect([page.length, times]).toEqual([50, times.toSorted()]);
  });
});
