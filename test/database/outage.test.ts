/** Which errors say that the database cannot be used now, so that callers may try again, and which ones are defects. */
import { describe, expect, it } from 'vitest';
import { Prisma } from '../../prisma/generated/client/client.js';
import { isOutage } from '../../src/modules/database-errors.js';
import { connected, newDatabase } from '../support/database/opened-database.js';

const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  );

describe('the database', () => {
  it('cannot be used now if it is not there, as while another one takes its place', async () => {
    const url = new URL(await newDatabase());
    url.pathname += '_not_there';
    const client = connected(url.href);
    expect(isOutage(await failure(client.organization.count()))).toBe(true);
    expect(isOutage(await failure(client.$queryRaw`SELECT 1`))).toBe(true);
  });

  it.each([
    ['cannot be used now', 'the password was changed', '28P01', true],
    ['cannot be used now', 'its user may not sign in', '28000', true],
    ['cannot be used now', 'its disk fails', '58030', true],
    ['cannot be used now', 'a file of it is missing', '58P01', true],
    ['works', 'a value is not unique', '23505', false],
    ['works', 'a table is unknown', '42P01', false],
  ])('%s if %s', async (_what, _why, state, expected) => {
    const client = connected(await newDatabase());
    const raise = Prisma.raw(`DO $$ BEGIN RAISE SQLSTATE '${state}'; END $$`);
    expect(isOutage(await failure(client.$executeRaw(raise)))).toBe(expected);
  });
});
