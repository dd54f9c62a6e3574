/** Archiving several threads at once, and taking it back. */
import { describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, addThreads, colleagueOf, listIds, newcomer } from '../../support/threads.js';

const it = serviceTest()
  .extend('ada', { scope: 'file' }, ({ service }) => newcomer(service))
  .extend('colleague', { scope: 'file' }, ({ service, ada }) => colleagueOf(service, ada, { role: 'admin' }))
  .extend('stranger', { scope: 'file' }, ({ service }) => newcomer(service));

const longAgo = new Date('2026-01-02T03:04:05.678Z');
const fields = '__typename ... on ChangedThreads { ids } ... on InvalidInputError { problems { field message } }';
const archive = `mutation ($ids: [ID!]!) { outcome: archiveThreads(ids: $ids) { ${fields} } }` as const;
const unarchive = `mutation ($ids: [ID!]!) { outcome: unarchiveThreads(ids: $ids) { ${fields} } }` as const;

async function run(
  { person, mutation = archive }: { person: Person; mutation?: typeof archive | typeof unarchive },
  ids: string[],
) {
  const { outcome } = await person.graphql.data(mutation, { ids });
  return outcome.__typename === 'ChangedThreads' ? outcome.ids.toSorted() : outcome;
}

const stored = (service: TestService, ids: string[]) =>
  service.database.thread.findMany({
    where: { id: { in: ids } },
    select: { id: true, archived: true, updatedAt: true },
    orderBy: { id: 'asc' },
  });

describe('archiveThreads', () => {
  it('removes the threads from the list, and unarchiveThreads brings them back', async ({ service, ada }) => {
    const ids = (await addThreads(service, ada, [{}, {}, { isPrivate: true }])).toSorted();
    expect(await run({ person: ada }, ids)).toEqual(ids);
    expect(await listIds(ada.rest)).not.toEqual(expect.arrayContaining([ids[0]]));
    expect((await stored(service, ids)).map(({ archived }) => archived)).toEqual([true, true, true]);
    expect(await run({ person: ada, mutation: unarchive }, ids)).toEqual(ids);
    expect(await listIds(ada.rest)).toEqual(expect.arrayContaining(ids));
  });

  it('returns and moves only those that were not archived before, each once', async ({ service, ada }) => {
    const [open = '', old = ''] = await addThreads(service, ada, [
      { createdAt: longAgo },
      { createdAt: longAgo, archived: true },
    ]);
    expect(await run({ person: ada }, [old, open, open])).toEqual([open]);
    expect(await stored(service, [old])).toMatchObject([{ archived: true, updatedAt: longAgo }]);
    expect(await run({ person: ada }, [old, open])).toEqual([]);
  });

  it('leaves threads of others as they are, and tells of none', async ({ service, ada, colleague, stranger }) => {
    const shared = await addThread(service, ada);
    const secret = await addThread(service, ada, { isPrivate: true });
    const before = await stored(service, [shared, secret]);
    const unknown = `${shared.slice(0, -4)}0000`;
    const own = await addThread(service, colleague);
    expect(await run({ person: colleague }, [shared, secret, unknown, 'thr_\u0000', own])).toEqual([own]);
    expect(await run({ person: stranger }, [shared, secret])).toEqual([]);
    expect(await stored(service, [shared, secret])).toEqual(before);
  });

  it('takes at most 100 threads', async ({ service, ada }) => {
    const id = await addThread(service, ada);
    const refused = { problems: [{ field: 'ids', message: 'must have at most 100 ids' }] };
    expect(await run({ person: ada }, Array<string>(101).fill(id))).toMatchObject(refused);
    expect(await stored(service, [id])).toMatchObject([{ archived: false }]);
    expect(await run({ person: ada }, Array<string>(100).fill(id))).toEqual([id]);
    expect(await run({ person: ada }, [])).toEqual([]);
  });

  it('ends without a deadlock if two of them name the same threads in another order', async ({ service, ada }) => {
    const ids = await addThreads(service, ada, Array<object>(50).fill({}));
    const outcomes = await Promise.all([run({ person: ada }, ids), run({ person: ada }, ids.toReversed())]);
    expect(outcomes.flat().toSorted()).toEqual(ids.toSorted());
  });
});
