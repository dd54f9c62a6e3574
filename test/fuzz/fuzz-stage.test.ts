/** Whatever generated requests do to the people of the stage, they are there for the next ones. */
import { expect, it } from 'vitest';
import { Chance } from '../support/chance.js';
import { FuzzStage } from './fuzz-stage.js';

it('a person who was deleted comes back', async () => {
  await using stage = await FuzzStage.start(new Chance(1));
  const { database } = stage.service;
  const before = await stage.callers();
  await database.user.deleteMany();
  const { tokens, cookies } = await stage.callers();
  expect(tokens).toHaveLength(before.tokens.length);
  const { status } = await stage.service.client(tokens[0]).get('/me');
  expect([status, cookies.length]).toEqual([200, before.cookies.length]);
});
