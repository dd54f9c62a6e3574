/** What the owner of threads changes: the name of one, whether it is archived, who sees it; and whether several are archived. */
import { describe, expect } from 'vitest';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, addThreads, colleagueOf, listIds, newcomer } from '../../support/threads.js';

const it = serviceTest()
  .extend('ada', { scope: 'file' }, ({ service }) => newcomer(service))
  .extend('colleague', { scope: 'file' }, ({ service, ada }) => colleagueOf(service, ada, { role: 'admin' }))
  .extend('stranger', { scope: 'file' }, ({ service }) => newcomer(service))
  .extend('id', ({ service, ada }) => addThread(service, ada, { name: 'Rome', createdAt: longAgo }));

const longAgo = new Date('2026-01-02T03:04:05.678Z');

const outcome = `__typename ... on Error { code message }
  ... on Thread { id name archived isPrivate updatedAt owner { id } }`;

/** What is done to the thread of a test, and what takes it back. */
const changes = {
  rename: { mutation: 'renameThread(input: {id: $id, name: "Paris"})', result: { name: 'Paris' } },
  unname: { mutation: 'renameThread(input: {id: $id, name: null})', result: { name: null } },
  archive: { mutation: 'archiveThread(id: $id)', result: { archived: true } },
  hide: { mutation: 'setThreadPrivacy(input: {id: $id, isPrivate: true})', result: { isPrivate: true } },
} as const;
const reverts = {
  rename: { mutation: 'renameThread(input: {id: $id, name: "Rome"})', result: { name: 'Rome' } },
  unname: { mutation: 'renameThread(input: {id: $id, name: "Rome"})', result: { name: 'Rome' } },
  archive: { mutation: 'unarchiveThread(id: $id)', result: { archived: false } },
  hide: { mutation: 'setThreadPrivacy(input: {id: $id, isPrivate: false})', result: { isPrivate: false } },
} as const;
const names = Object.keys(changes) as (keyof typeof changes)[];

type Mutation = (typeof changes | typeof reverts)[keyof typeof changes]['mutation'];

async function run({ graphql }: Person, id: string, mutation: Mutation) {
  const query = `mutation ($id: ID!) { outcome: ${mutation} { ${outcome} } }` as const;
  return (await graphql.data(query, { id })).outcome;
}

const stored = (service: TestService, id: string) => service.database.thread.findUniqueOrThrow({ where: { id } });

describe.each(names)('a change by the owner: %s', (name) => {
  const { mutation, result } = changes[name];

  it('returns the changed thread, and moves it to the top of the list', async ({ service, ada, id }) => {
    await addThread(service, ada);
    const thread = await run(ada, id, mutation);
    const before = { id, name: 'Rome', archived: false, isPrivate: false, owner: { id: ada.id } };
    expect(thread).toEqual({ __typename: 'Thread', ...before, ...result, updatedAt: expect.any(String) });
    expect(new Date(thread.updatedAt).getTime()).toBeGreaterThan(longAgo.getTime());
    expect((await listIds(ada.rest, { archived: true, limit: 1 }))[0]).toBe(id);
    const { body } = await ada.rest.get<ThreadBody>(`/threads/${id}`);
    const { isPrivate, archived, name: newName } = thread;
    expect(body).toMatchObject({ updated_at: thread.updatedAt, is_private: isPrivate, archived, name: newName });
  });

  it('can be repeated, and then moves nothing, and can be undone', async ({ ada, id }) => {
    const first = await run(ada, id, mutation);
    expect(await run(ada, id, mutation)).toEqual(first);
    const undone = await run(ada, id, reverts[name].mutation);
    expect(undone).toMatchObject({ __typename: 'Thread', ...reverts[name].result });
  });
});

describe('renameThread', () => {
  const rename = async ({ graphql }: Person, id: string, input: object) => {
    const query = `mutation ($input: RenameThreadInput!) { renameThread(input: $input) {
      ${outcome} ... on InvalidInputError { problems { field message } } } }`;
    return (await graphql.data(query, { input: { id, ...input } })).renameThread;
  };

  it.for([
    [{ name: 'x'.repeat(256) }, 'must be at most 255 characters long'],
    [{ name: 'a\u0000b' }, 'must not contain the character U+0000'],
    [{ name: '\ud800' }, 'must not contain unpaired surrogates'],
    [{}, 'is required; pass null to remove the name'],
  ] as const)(
    'is InvalidInputError for a name that cannot be stored: case %#',
    async ([input, message], { service, ada, id }) => {
      const problems = [{ field: 'name', message }];
      expect(await rename(ada, id, input)).toMatchObject({ __typename: 'InvalidInputError', problems });
      expect(await stored(service, id)).toMatchObject({ name: 'Rome', updatedAt: longAgo });
    },
  );

  it.for(['', ' Ünï\tcødé 🙂 ', '🙂'.repeat(255)])('keeps every other name as sent: %j', async (name, { ada, id }) => {
    expect(await rename(ada, id, { name })).toMatchObject({ __typename: 'Thread', name });
  });

  it('is found by its new name at once, and no longer by its old one', async ({ ada, id }) => {
    await rename(ada, id, { name: 'Quokka' });
    expect(await listIds(ada.rest, { q: 'quokka' })).toEqual([id]);
    const before = await listIds(ada.rest, { q: 'rome' });
    expect(before).not.toContain(id);
  });
});

const fields = '__typename ... on ChangedThreads { ids } ... on InvalidInputError { problems { field message } }';

async function changeAll(
  { graphql }: Person,
  ids: string[],
  field: 'archiveThreads' | 'unarchiveThreads' = 'archiveThreads',
) {
  const mutation = `mutation ($ids: [ID!]!) { outcome: ${field}(ids: $ids) { ${fields} } }` as const;
  const { outcome } = await graphql.data(mutation, { ids });
  return outcome.__typename === 'ChangedThreads' ? outcome.ids.toSorted() : outcome;
}

const allStored = (service: TestService, ids: string[]) =>
  service.database.thread.findMany({
    where: { id: { in: ids } },
    select: { id: true, archived: true, updatedAt: true },
    orderBy: { id: 'asc' },
  });

describe('archiveThreads', () => {
  it('removes the threads from the list, and unarchiveThreads brings them back', async ({ service, ada }) => {
    const ids = (await addThreads(service, ada, [{}, {}, { isPrivate: true }])).toSorted();
    expect(await changeAll(ada, ids)).toEqual(ids);
    expect(await listIds(ada.rest)).not.toEqual(expect.arrayContaining([ids[0]]));
    expect((await allStored(service, ids)).map(({ archived }) => archived)).toEqual([true, true, true]);
    expect(await changeAll(ada, ids, 'unarchiveThreads')).toEqual(ids);
    expect(await listIds(ada.rest)).toEqual(expect.arrayContaining(ids));
  });

  it('returns and moves only those that were not archived before, each once', async ({ service, ada }) => {
    const [open = '', old = ''] = await addThreads(service, ada, [
      { createdAt: longAgo },
      { createdAt: longAgo, archived: true },
    ]);
    expect(await changeAll(ada, [old, open, open])).toEqual([open]);
    expect(await allStored(service, [old])).toMatchObject([{ archived: true, updatedAt: longAgo }]);
    expect(await changeAll(ada, [old, open])).toEqual([]);
  });

  it('leaves threads of others as they are, and tells of none', async ({ service, ada, colleague, stranger }) => {
    const shared = await addThread(service, ada);
    const secret = await addThread(service, ada, { isPrivate: true });
    const before = await allStored(service, [shared, secret]);
    const unknown = `${shared.slice(0, -4)}0000`;
    const own = await addThread(service, colleague);
    expect(await changeAll(colleague, [shared, secret, unknown, 'thr_\u0000', own])).toEqual([own]);
    expect(await changeAll(stranger, [shared, secret])).toEqual([]);
    expect(await allStored(service, [shared, secret])).toEqual(before);
  });

  it('takes at most 100 threads', async ({ service, ada }) => {
    const id = await addThread(service, ada);
    const refused = { problems: [{ field: 'ids', message: 'must have at most 100 ids' }] };
    expect(await changeAll(ada, Array<string>(101).fill(id))).toMatchObject(refused);
    expect(await allStored(service, [id])).toMatchObject([{ archived: false }]);
    expect(await changeAll(ada, Array<string>(100).fill(id))).toEqual([id]);
    expect(await changeAll(ada, [])).toEqual([]);
  });

  it('ends without a deadlock if two of them name the same threads in another order', async ({ service, ada }) => {
    const ids = await addThreads(service, ada, Array<object>(50).fill({}));
    const outcomes = await Promise.all([changeAll(ada, ids), changeAll(ada, ids.toReversed())]);
    expect(outcomes.flat().toSorted()).toEqual(ids.toSorted());
  });
});
