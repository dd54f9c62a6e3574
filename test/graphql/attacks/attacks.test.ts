/**
 * Requests made to hold up the service or to learn of its inside, on every way to run an operation. The answer tells nothing but
 * its reason. How long the event loop is busy with each is looked at in `stress`.
 */
import { describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import { attacks } from './attack-cases.js';
import { failuresOf, sender, ways } from './attack-requests.js';

const it = serviceTest({ settings: { concurrency: 0 } });

/** What only the inside knows. */
const inside =
  /\b(select|insert|update) .*\b(from|into|set)\b|relation "|prisma|\.[jt]s:\d|\/src\/|node_modules|\n {4}at |"stack"|graphql-armor/i;

describe.each(ways)('an attack on $name', (way) => {
  it.for(Object.entries(attacks))('is answered, and reveals nothing: %s', async ([_name, attack], { service, ada }) => {
    const answer = await sender(service, ada, way, attack)();
    expect(answer.status, answer.body.slice(0, 500)).toBeLessThan(500);
    expect(answer.body).not.toMatch(inside);
    expect(answer.body.length).toBeLessThan(300_000);
    const [failure] = failuresOf(answer);
    const [limit, maximum] = attack.limit ?? [];
    const expected = { code: attack.code, ...(limit && { limit, maximum }) };
    if (attack.code !== null) expect(failure?.extensions, answer.body.slice(0, 500)).toMatchObject(expected);
  });
});

describe('after all of that', () => {
  it('nothing was changed, nothing was logged as a defect, and no prototype was polluted', async ({ service, ada }) => {
    expect(await service.database.thread.count()).toBe(0);
    expect(service.log.filter((line) => /an operation failed|a request failed/.test(line))).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((await ada.rest.get('/me')).status).toBe(200);
  });
});
