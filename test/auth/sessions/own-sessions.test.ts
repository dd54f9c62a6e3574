/** Where somebody is signed in: a list for their own browsers alone, in which no secret stands, and an end to each. */
import { describe, expect } from 'vitest';
import { sessionDigest } from '../../../src/modules/identity/session.js';
import type { Data } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { type Browser, browserOf } from '../browser.js';
import { linkSecret, signedIn } from '../people.js';

const list = '{ sessions { id userAgent createdAt lastUsedAt expiresAt isCurrent } }';
const end = `mutation ($id: ID!) { outcome: endSession(id: $id) {
  __typename ... on Session { id isCurrent } ... on Error { code message } } }`;
const me = '{ me { sub } }';

type Session = Data<typeof list>['sessions'][number];

async function sessionsOf(browser: Browser): Promise<Session[]> {
  return (await browser.graphql(list)).sessions;
}

async function currentOf(browser: Browser): Promise<Session> {
  const current = (await sessionsOf(browser)).find(({ isCurrent }) => isCurrent);
  if (!current) throw new Error('no session is marked as the current one');
  return current;
}

async function endFrom(browser: Browser, id: string): Promise<object> {
  return (await browser.graphql(end, { id })).outcome;
}

const notFound = { __typename: 'NotFoundError', code: 'NOT_FOUND' };

/** A browser that says what it is. */
async function namedBrowser(service: TestService, person: Person, userAgent: string): Promise<Browser> {
  const browser = browserOf(service);
  const token = await linkSecret(service, person);
  await browser.post('/auth/sign-in/link', { token }, { 'user-agent': userAgent });
  return browser;
}

describe('Query.sessions', () => {
  it('lists the live sessions of the user, most recently used first, and marks the current one', async ({
    service,
    database,
  }) => {
    const [ada, bob] = [await service.person(), await service.person()];
    const [phone, laptop, old] = [
      await namedBrowser(service, ada, 'A phone'),
      await namedBrowser(service, ada, 'A laptop'),
      await namedBrowser(service, ada, 'An old one'),
    ];
    await namedBrowser(service, bob, 'Of Bob');
    await database.session.update({ where: { id: (await currentOf(old)).id }, data: { expiresAt: new Date() } });
    const yesterday = new Date(Date.now() - 86_400_000);
    const { id } = await currentOf(laptop);
    await database.session.update({ where: { id }, data: { updatedAt: yesterday } });
    expect(await sessionsOf(phone)).toMatchObject([
      { userAgent: 'A phone', isCurrent: true, id: expect.stringMatching(/^ses_/) },
      { userAgent: 'A laptop', isCurrent: false, lastUsedAt: yesterday.toISOString() },
    ]);
  });

  it('shows when each began, was last used and expires', async ({ service }) => {
    const ada = await service.person();
    const begunMs = Date.now();
    const { createdAt, lastUsedAt, expiresAt } = await currentOf(await signedIn(service, ada));
    for (const moment of [createdAt, lastUsedAt]) {
      expect(Date.parse(moment)).toBeGreaterThanOrEqual(begunMs);
      expect(Date.parse(moment)).toBeLessThanOrEqual(Date.now());
    }
    expect((Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000).toBeCloseTo(30, 2);
  });

  it('gives null for a browser without a name, and truncates a long one', async ({ service, database }) => {
    const ada = await service.person();
    const browser = await signedIn(service, ada);
    const { id } = await currentOf(browser);
    await database.session.update({ where: { id }, data: { userAgent: '' } });
    expect((await currentOf(browser)).userAgent).toBeNull();
    await database.session.update({ where: { id }, data: { userAgent: 'x'.repeat(5000) } });
    expect((await currentOf(browser)).userAgent).toBe('x'.repeat(500));
  });

  it('updates the last use at most every ten minutes', async ({ service, database }) => {
    const browser = await signedIn(service, await service.person());
    const { id } = await currentOf(browser);
    const usedAfter = async (minutes: number) => {
      const updatedAt = new Date(Date.now() - minutes * 60_000);
      await database.session.update({ where: { id }, data: { updatedAt } });
      await browser.graphql(me);
      const session = await database.session.findUniqueOrThrow({ where: { id } });
      return session.updatedAt > updatedAt;
    };
    expect(await usedAfter(11)).toBe(true);
    expect(await usedAfter(9)).toBe(false);
  });

  it('lists at most 200, including the current one', async ({ service }) => {
    const ada = await service.person();
    const browser = await signedIn(service, ada);
    const { id } = await currentOf(browser);
    const updatedAt = new Date(Date.now() - 3_600_000);
    const data = Array.from({ length: 250 }, (_, index) => ({
      ...{ id: `ses_${index}`, userId: ada.id, token: sessionDigest(`${ada.id} ${index}`), updatedAt },
      expiresAt: new Date(Date.now() + 3_600_000),
    }));
    await service.database.session.createMany({ data });
    const sessions = await sessionsOf(browser);
    expect(sessions).toHaveLength(200);
    expect(sessions[0]).toMatchObject({ id, isCurrent: true });
  });
});

describe('Mutation.endSession', () => {
  it('signs out one browser, and no other, be it the current one', async ({ service }) => {
    const ada = await service.person();
    const [here, there, elsewhere] = [
      await signedIn(service, ada),
      await signedIn(service, ada),
      await signedIn(service, ada),
    ];
    const { id } = await currentOf(there);
    expect(await endFrom(here, id)).toEqual({ __typename: 'Session', id, isCurrent: false });
    expect((await there.post('/graphql', { query: me })).status).toBe(401);
    expect(await there.get('/auth/get-session')).toMatchObject({ body: null });
    for (const browser of [here, elsewhere]) expect(await browser.graphql(me)).toEqual({ me: { sub: ada.id } });
    expect(await endFrom(here, id)).toMatchObject(notFound);
    const current = await currentOf(here);
    expect(await endFrom(here, current.id)).toEqual({ __typename: 'Session', id: current.id, isCurrent: true });
    expect((await here.post('/graphql', { query: me })).status).toBe(401);
  });

  it('is NotFoundError for a session of another user, as for an unknown one, and changes nothing', async ({
    service,
  }) => {
    const [ada, bob] = [
      await signedIn(service, await service.person()),
      await signedIn(service, await service.person()),
    ];
    const { id } = await currentOf(bob);
    const [foreign, unknown] = [await endFrom(ada, id), await endFrom(ada, `${id.slice(0, -4)}0000`)];
    expect(foreign).toMatchObject(notFound);
    expect(foreign).toEqual(unknown);
    await bob.graphql(me);
  });
});
