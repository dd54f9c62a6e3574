/** Signing in and out, and what a session is good for: GraphQL and attachments. That REST takes none is in `origins.test.ts`. */
import { describe, expect } from 'vitest';
import { disguised } from '../../../src/auth/any-address.js';
import { removeExpired } from '../../support/database/remove-expired.js';
import { it } from '../../support/fixtures/service.js';
import { browserOf } from '../browser.js';
import { linkSecret, password, signedIn } from '../people.js';

const me = '{ me { sub email } }';

describe('POST /auth/sign-in/email', () => {
  it('signs in with the password that was chosen, in a cookie that scripts cannot read', async ({ service, ada }) => {
    await signedIn(service, ada, password);
    const browser = browserOf(service);
    const { status, headers, body } = await browser.post('/auth/sign-in/email', { email: ada.email, password });
    expect({ status, body }).toMatchObject({ status: 200, body: { user: { id: ada.id } } });
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(/^__Secure-skein\.session_token=/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).toMatch(/; Max-Age=2592000/);
    expect(await browser.graphql(me)).toEqual({ me: { sub: ada.id, email: ada.email } });
    expect(JSON.stringify(body)).not.toContain('token');
  });

  it('signs in whatever address an administrator has given, in any case', async ({ service }) => {
    const { id } = await service.person();
    await signedIn(service, { id }, password);
    for (const email of ['admin@localhost', 'jörg@bücher.test', '"oddone"@acme']) {
      await service.database.user.update({ where: { id }, data: { email } });
      const browser = browserOf(service);
      const sent = { email: ` ${email.toUpperCase()} `, password };
      const { status, body } = await browser.post('/auth/sign-in/email', sent);
      expect({ status, body }).toMatchObject({ status: 200, body: { user: { id, email } } });
      expect(await browser.graphql(me)).toEqual({ me: { sub: id, email } });
    }
  });

  it('takes no address in the form that the library is given, which has many spellings', async ({ service }) => {
    const { id, email } = await service.person();
    await signedIn(service, { id }, password);
    for (const sent of [disguised(email), disguised(email).toUpperCase(), disguised(email).replace('@', 'x@')]) {
      const { status } = await browserOf(service).post('/auth/sign-in/email', { email: sent, password });
      expect(status).toBe(401);
    }
  });

  // As to an address that nobody has: `account-existence.test.ts`.
  it('refuses a wrong password', async ({ service, ada }) => {
    const wrong = { email: ada.email, password: 'not the password' };
    const { status, headers, body } = await browserOf(service).post('/auth/sign-in/email', wrong);
    expect({ status, body }).toEqual({
      status: 401,
      body: { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' },
    });
    expect(headers.getSetCookie()).toEqual([]);
  });
});

it('GET /auth/get-session returns the signed-in user, without the secret of the session', async ({ service, ada }) => {
  const browser = await signedIn(service, ada);
  const { body } = await browser.get<{ user: object; session: object }>('/auth/get-session');
  expect(body.user).toMatchObject({ id: ada.id, email: ada.email, name: 'Ada' });
  expect(body.session).toMatchObject({ userId: ada.id, id: expect.stringMatching(/^ses_/) });
  expect(body.session).not.toHaveProperty('token');
});

it('POST /auth/sign-out ends this session, on the server too, and no other', async ({ service, ada }) => {
  const [here, there] = [await signedIn(service, ada), await signedIn(service, ada)];
  const stolen = here.cookies;
  expect(await here.post('/auth/sign-out')).toMatchObject({ status: 200 });
  expect(here.cookies).toBe('');
  const again = await here.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: stolen },
    body: JSON.stringify({ query: me }),
  });
  expect(again.status).toBe(401);
  expect(await there.graphql(me)).toMatchObject({ me: { sub: ada.id } });
});

it('POST /auth/revoke-sessions ends all sessions of the user and none of anybody else', async ({ service, ada }) => {
  const other = await service.person();
  const [here, there, elsewhere] = [
    await signedIn(service, ada),
    await signedIn(service, ada),
    await signedIn(service, other),
  ];
  expect(await here.post('/auth/revoke-sessions')).toMatchObject({ status: 200 });
  for (const browser of [here, there]) {
    expect((await browser.post('/graphql', { query: me })).status).toBe(401);
  }
  expect(await elsewhere.graphql(me)).toMatchObject({ me: { sub: other.id } });
});

describe('a session', () => {
  it('is ignored if a token is sent, even an invalid one', async ({ service, ada }) => {
    const browser = await signedIn(service, ada);
    const { status } = await browser.post('/graphql', { query: me }, { authorization: 'Bearer nonsense' });
    expect(status).toBe(401);
  });

  it('is 401 where its cookie is forged, without its signature, undecodable or empty', async ({ service, ada }) => {
    const { cookies } = await signedIn(service, ada);
    const unsigned = cookies.split('.').slice(0, 2).join('.');
    const name = '__Secure-skein.session_token';
    for (const cookie of [cookies.replace(/.$/, 'x'), unsigned, `${name}=%E0%A4%A`, `${name}=`]) {
      const { status, body } = await browserOf(service).post('/graphql', { query: me }, { cookie });
      expect({ cookie, status }).toEqual({ cookie, status: 401 });
      expect(body).toMatchObject({ errors: [{ extensions: { reason: 'signed_out' } }] });
    }
  });

  it('is 401 as soon as its user is removed, even if its row still exists', async ({ service }) => {
    const { id } = await service.person();
    const browser = await signedIn(service, { id });
    // The trigger removes the row together with the user.
    const trigger = (act: string) => `ALTER TABLE user_account ${act} TRIGGER user_removed`;
    await service.sql(trigger('DISABLE'));
    await service.database.user.update({ where: { id }, data: { removedAt: new Date() } });
    await service.sql(trigger('ENABLE'));
    expect(await service.database.session.count({ where: { userId: id } })).toBe(1);
    expect((await browser.post('/graphql', { query: me })).status).toBe(401);
  });

  it('says to its browser alone how it ended, also after its row is gone', async ({ service, database }) => {
    const endOf = async (browser: Awaited<ReturnType<typeof signedIn>>) => {
      const { body } = await browser.post<{ errors: { extensions: object }[] }>('/graphql', { query: me });
      return body.errors[0]?.extensions;
    };
    const ends: [string, (id: string) => Promise<unknown>][] = [
      ['signed_out', (userId) => database.session.deleteMany({ where: { userId } })],
      ['member_removed', (id) => database.user.update({ where: { id }, data: { removedAt: new Date() } })],
      ['member_removed', (id) => database.user.delete({ where: { id } })],
      ['expired', (userId) => database.session.updateMany({ where: { userId }, data: { expiresAt: new Date(0) } })],
    ];
    for (const [sessionEnd, end] of ends) {
      const { id } = await service.person();
      await database.accessToken.deleteMany({ where: { userId: id } });
      const browser = await signedIn(service, { id });
      await end(id);
      // Asking for the session must not take the cookie away that tells why it has ended.
      expect(await browser.get('/auth/get-session')).toMatchObject({ body: null });
      expect(await endOf(browser)).toEqual({ code: 'UNAUTHENTICATED', reason: 'signed_out', sessionEnd });
      await removeExpired(database, 'sessions');
      expect(await endOf(browser)).toMatchObject({ sessionEnd });
    }
  });

  it('expires, and is extended when it is used', async ({ service, database, ada }) => {
    const browser = await signedIn(service, ada);
    const { body } = await browser.get<{ session: { id: string } }>('/auth/get-session');
    const where = { id: body.session.id };
    const dayMs = 86_400_000;
    await database.session.update({ where, data: { expiresAt: new Date(Date.now() + dayMs) } });
    const { headers } = await browser.get('/auth/get-session');
    expect(headers.getSetCookie().join()).toContain('Max-Age=2592000');
    const { expiresAt } = await database.session.findUniqueOrThrow({ where });
    expect(expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * dayMs);
    await database.session.update({ where, data: { expiresAt: new Date(Date.now() - 1) } });
    expect((await browser.post('/graphql', { query: me })).status).toBe(401);
    expect(await browser.get('/auth/get-session')).toMatchObject({ body: null });
  });
});

describe('a stream that was reserved in a session', () => {
  it('is opened by the page that reserved it, and by nobody else who is signed in', async ({ service, ada }) => {
    const [browser, other] = [await signedIn(service, ada), await signedIn(service, await service.person())];
    const header = { 'x-graphql-yoga-csrf': '1' };
    const token = await (await browser.fetch('/graphql/stream', { method: 'PUT', headers: header })).text();
    const headers = { 'content-type': 'application/json', 'x-graphql-event-stream-token': token };
    const operation = {
      method: 'POST',
      body: JSON.stringify({ query: me, extensions: { operationId: '1' } }),
      headers,
    };
    expect((await other.fetch('/graphql/stream', operation)).status).toBe(404);
    const abort = new AbortController();
    // An `EventSource` sends no header of its own.
    const stream = await browser.fetch(`/graphql/stream?token=${token}`, {
      headers: { accept: 'text/event-stream' },
      signal: abort.signal,
    });
    expect(stream.status).toBe(200);
    expect((await browser.fetch('/graphql/stream', operation)).status).toBe(202);
    let received = '';
    for await (const chunk of stream.body ?? []) {
      received += Buffer.from(chunk).toString();
      if (received.includes('event: complete')) break;
    }
    abort.abort();
    expect(received).toContain(ada.id);
  });
});

describe('the key that signs cookies', () => {
  it('is shared by all nodes without configuration, for as long as the database exists', async ({ service, ada }) => {
    const browser = await signedIn(service, ada);
    const node = await service.addNode();
    const ask = (url: string) =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: browser.cookies },
        body: JSON.stringify({ query: me }),
      });
    expect((await ask(node.url)).status).toBe(200);
    const other = await service.addNode({ AUTH_SECRET: 'another secret of 32 characters!!' });
    expect((await ask(other.url)).status).toBe(401);
  });
});

it('the secrets are neither in the database nor in the log', async ({ service, database, ada }) => {
  const token = await linkSecret(service, ada);
  const browser = browserOf(service);
  await browser.post('/auth/sign-in/link', { token, password });
  const [, session = ''] = /session_token=([^.]+)/.exec(decodeURIComponent(browser.cookies)) ?? [];
  expect(session).toMatch(/^\w{32}$/);
  const rows = JSON.stringify([
    await database.session.findMany(),
    await database.account.findMany(),
    await database.signInLink.findMany(),
  ]);
  for (const secret of [token, session, password]) {
    expect(rows).not.toContain(secret);
    expect(service.log.join('')).not.toContain(secret);
  }
});
