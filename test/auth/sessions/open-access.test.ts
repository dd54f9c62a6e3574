/** What is open ends when the access to it does: on every node, whether a notification says so or not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopes } from '../../../src/contract.js';
import { findEndedAccess } from '../../../src/modules/identity/find-ended-access.js';
import { addThread } from '../../support/threads.js';
import { endings, never, start, type World, worlds } from './access-endings.js';

/** Where it is the look at what is open that ends it, the first of the two worlds shows what all of it is looked at for. */
const ofEachKind = [
  'a token is revoked',
  'a browser signs out',
  'a thread becomes private, for everybody but its owner',
];

describe.each(worlds)('what is open ends %s', (name, make) => {
  let world: World;
  beforeAll(async () => {
    world = await make();
  });
  afterAll(() => world.service.stop());

  const isLast = name === worlds.at(-1)?.[0];
  it.each(endings.filter(([what]) => !isLast || ofEachKind.includes(what)))('when %s', async (_what, end) => {
    await end(world);
  });
});

it('the check finds what has ended among 5,000 tokens and views with one statement', async () => {
  await using service = await start(never);
  const { database } = service;
  const ada = await service.person();
  await service.token(ada.id, scopes);
  const living = (await database.accessToken.findMany()).map(({ id }) => id);
  const gone = Array.from({ length: 5000 }, (_, index) => `tok_${index}`);
  const thread = await addThread(service, ada);
  const views = gone.map(() => ({ threadId: thread, userId: ada.id }));
  const found = await findEndedAccess(database, { tokenIds: [...gone, ...living], views });
  expect(found.sort()).toEqual(gone.sort());
  const deleted = { threadId: 'thr_deleted', userId: ada.id };
  expect(await findEndedAccess(database, { tokenIds: [], views: [deleted] })).toEqual(['thr_deleted']);
});
