/** Signing in with a provider of OpenID Connect: whom it vouches for, if an administrator has made them a user. */
import { describe, expect, vi } from 'vitest';
import { holding, waitingStatements } from '../../support/database/waiting-statements.js';
import type { TestService } from '../../support/service.js';
import { browserOf } from '../browser.js';
import { beginWithProvider } from '../people.js';
import { client, it, Provider } from './provider.js';

it.beforeEach(({ provider }) => {
  provider.signsWrongly = false;
  provider.distort = (claims) => claims;
});

const me = '{ me { sub } }';

/** Claims of the ID token; undefined removes one. */
type Claims = Record<string, unknown>;

/** The whole way there and back; `location` is where the browser ends. */
async function signIn(provider: Provider, service: TestService, browser = browserOf(service)) {
  const { address } = await beginWithProvider(service, browser);
  const back = new URL(provider.authorize(address));
  const response = await browser.fetch(back.pathname + back.search);
  return { browser, status: response.status, location: response.headers.get('location') ?? '' };
}

it('GET /auth/methods names the provider, for the application', async ({ service }) => {
  const { status, body } = await browserOf(service).get('/auth/methods');
  expect({ status, body }).toEqual({ status: 200, body: { password: true, openIdConnect: { name: 'Acme ID' } } });
});

describe('signing in with the provider', () => {
  it('redirects there with a state, a nonce and a challenge, and back', async ({ provider, service }) => {
    const { address } = await beginWithProvider(service);
    const { origin, pathname, searchParams } = new URL(address);
    expect(origin + pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: 'https://skein.test/auth/callback/openid',
      scope: 'openid email profile',
      state: expect.stringMatching(/.{20}/),
      nonce: expect.stringMatching(/.{20}/),
      code_challenge: expect.stringMatching(/.{43}/),
      code_challenge_method: 'S256',
    });
  });

  it('counts as one attempt to sign in', async ({ provider, service }) => {
    const left: string[] = [];
    const browser = browserOf(service);
    for (const _ of ['the first time', 'the next time']) {
      const { address } = await beginWithProvider(service, browser);
      const back = new URL(provider.authorize(address));
      const { headers } = await browser.fetch(back.pathname + back.search);
      left.push(/^"sign-ins";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? 'unknown');
    }
    expect(left).toEqual(['59', '58']);
  });

  it('signs in a user whom it vouches for, the next time too, and stores none of its tokens', async ({
    provider,
    service,
  }) => {
    const ada = await service.person();
    provider.identity = { sub: 'ada', email: ada.email.toUpperCase(), email_verified: true };
    for (const _ of ['the first time', 'the next time']) {
      const { browser, status, location } = await signIn(provider, service);
      expect({ status, location }).toEqual({ status: 302, location: '/threads' });
      expect(await browser.graphql(me)).toEqual({ me: { sub: ada.id } });
    }
    const accounts = await service.database.account.findMany({ where: { userId: ada.id } });
    expect(accounts).toMatchObject([
      { providerId: 'openid', issuer: provider.issuer, accountId: 'ada', accessToken: null, idToken: null },
    ]);
  });

  it('identifies a user by the provider’s subject, whatever their address there is now', async ({
    provider,
    service,
  }) => {
    const [bob, other] = [await service.person(), await service.person()];
    provider.identity = { sub: 'bob', email: bob.email, email_verified: true };
    await signIn(provider, service);
    provider.identity = { sub: 'bob', email: other.email, email_verified: true };
    const { browser } = await signIn(provider, service);
    expect(await browser.graphql(me)).toEqual({ me: { sub: bob.id } });
  });

  it.for([
    ['not valid before, in 20 seconds', 'nbf', 20, '/threads'],
    ['not valid before, in two minutes', 'nbf', 120, '/sign-in?error=unable_to_get_user_info'],
    ['expired, 20 seconds ago', 'exp', -20, '/threads'],
    ['expired, two minutes ago', 'exp', -120, '/sign-in?error=unable_to_get_user_info'],
  ] as const)(
    'allows half a minute between its clock and that of Skein: %s',
    async ([_what, claim, seconds, end], { provider, service }) => {
      provider.identity = {
        sub: `late-${claim}-${seconds}`,
        email: (await service.person()).email,
        email_verified: true,
      };
      provider.distort = (claims) => ({ ...claims, [claim]: Math.floor(Date.now() / 1000) + seconds });
      const { location } = await signIn(provider, service);
      expect(location.startsWith(end)).toBe(true);
    },
  );

  it('takes nobody for a user whom an earlier provider called the same', async ({ provider, service }) => {
    const [heidi, ivan] = [await service.person(), await service.person()];
    provider.identity = { sub: '1', email: heidi.email, email_verified: true };
    await signIn(provider, service);
    const successor = await Provider.start();
    const environment = {
      OIDC_ISSUER: `${successor.issuer}/`,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
    };
    const node = await service.addNode(environment);
    successor.identity = { sub: '1', email: ivan.email, email_verified: true };
    for (const _ of ['the first time', 'the next time']) {
      const { browser } = await signIn(successor, service, browserOf(node));
      expect(await browser.graphql(me)).toEqual({ me: { sub: ivan.id } });
    }
    await successor.close();
    const { browser } = await signIn(provider, service);
    expect(await browser.graphql(me)).toEqual({ me: { sub: heidi.id } });
  });

  const badToken = 'unable_to_get_user_info';
  it.for<[what: string, error: string, claims: Claims, signsWrongly?: true]>([
    ['somebody who is no user', 'signup_disabled', { sub: 'eve', email: 'eve@evil.test' }],
    ['an address that the provider disowns', 'account_not_linked', { email_verified: false }],
    ['a token with a foreign signature', badToken, {}, true],
    ['a token for another client', badToken, { aud: 'another' }],
    ['a token for another client beside this one', badToken, { aud: [client.id, 'another'], azp: 'another' }],
    ['a token of another provider', badToken, { iss: 'https://evil.test' }],
    ['a token that was made for another sign-in', badToken, { nonce: 'another' }],
    ['a token that has expired', badToken, { exp: 1 }],
    ['a token without an end', badToken, { exp: undefined }],
    ['a token without a subject', badToken, { sub: undefined }],
    ['a token with an empty subject', badToken, { sub: '' }],
    ['a token with a subject that is no text', badToken, { sub: 7 }],
  ])(
    'refuses %s, and leads back with the reason',
    async ([_what, error, claims, signsWrongly = false], { provider, service }) => {
      const carol = await service.person();
      provider.identity = { sub: `carol-${carol.id}`, email: carol.email, email_verified: true };
      provider.distort = (all) => ({ ...all, ...claims });
      provider.signsWrongly = signsWrongly;
      const users = await service.database.user.count();
      const { browser, status, location } = await signIn(provider, service);
      expect(status).toBe(302);
      expect(location).toMatch(new RegExp(`^/sign-in\\?error=${error}`));
      expect((await browser.post('/graphql', { query: me })).status).toBe(401);
      expect(await service.database.user.count()).toBe(users);
    },
  );

  it('refuses another account of the provider that now has the address', async ({ provider, service }) => {
    const gail = await service.person();
    provider.identity = { sub: 'gail', email: gail.email, email_verified: true };
    await signIn(provider, service);
    provider.identity = { sub: 'successor', email: gail.email, email_verified: true };
    const { browser, location } = await signIn(provider, service);
    expect(location).toMatch(/^\/sign-in\?error=LINKED_TO_ANOTHER/);
    expect((await browser.post('/graphql', { query: me })).status).toBe(401);
  });

  it('links only one of two accounts that sign in concurrently with the same address', async ({
    provider,
    service,
    database,
  }) => {
    const { id, email } = await service.person();
    const outcomes = await database.$transaction(async (transaction) => {
      await transaction.$executeRaw`SELECT FROM user_account WHERE id = ${id} FOR NO KEY UPDATE`;
      const both = ['twin-1', 'twin-2'].map(async (sub) => {
        const { browser, address } = await beginWithProvider(service);
        provider.identity = { sub, email, email_verified: true };
        const back = new URL(provider.authorize(address));
        return (await browser.fetch(back.pathname + back.search)).headers.get('location') ?? '';
      });
      await vi.waitFor(async () => expect(await waitingStatements(database)).toBe(2), {
        timeout: 30_000,
        interval: 20,
      });
      return { both: Promise.all(both) };
    }, holding);
    const locations = await outcomes.both;
    expect(locations.filter((location) => location === '/threads')).toHaveLength(1);
    expect(await database.account.count({ where: { userId: id } })).toBe(1);
  });

  it('refuses a removed user whom the provider still knows', async ({ provider, service }) => {
    const frank = await service.person();
    provider.identity = { sub: 'frank', email: frank.email, email_verified: true };
    await signIn(provider, service);
    const data = { removedAt: new Date() };
    await service.database.user.update({ where: { id: frank.id }, data });
    const { browser, location } = await signIn(provider, service);
    expect(location).toMatch(/^\/sign-in\?error=MEMBER_REMOVED/);
    expect((await browser.post('/graphql', { query: me })).status).toBe(401);
  });

  it('refuses a callback of a sign-in that another browser began', async ({ provider, service }) => {
    const dave = await service.person();
    provider.identity = { sub: 'dave', email: dave.email, email_verified: true };
    const { address } = await beginWithProvider(service);
    const back = new URL(provider.authorize(address));
    const victim = browserOf(service);
    const response = await victim.fetch(back.pathname + back.search);
    expect(response.headers.get('location')).toMatch(/sign-in\?.*error=/);
    expect((await victim.post('/graphql', { query: me })).status).toBe(401);
  });

  it.for<[string, (back: URL) => void]>([
    ['another state', (back) => back.searchParams.set('state', 'x'.repeat(32))],
    ['no state', (back) => back.searchParams.delete('state')],
    ['no code', (back) => back.searchParams.delete('code')],
    ['a code that the provider does not know', (back) => back.searchParams.set('code', 'unknown')],
    ['the word of another provider', (back) => back.searchParams.set('iss', 'https://evil.test')],
  ] as const)('refuses an answer with %s', async ([_what, spoil], { provider, service }) => {
    provider.identity = { sub: 'dora', email: (await service.person()).email, email_verified: true };
    const { browser, address } = await beginWithProvider(service);
    const back = new URL(provider.authorize(address));
    spoil(back);
    const response = await browser.fetch(back.pathname + back.search);
    expect(response.headers.get('location')).toMatch(/\/sign-in\?.*error=/);
    expect((await browser.post('/graphql', { query: me })).status).toBe(401);
  });

  it('logs the mistakes of those who sign in as no errors', async ({ provider, service }) => {
    const { email } = await service.person();
    const logged = service.log.length;
    provider.identity = { sub: 'nobody', email: 'nobody@acme.test', email_verified: true };
    await signIn(provider, service);
    provider.identity = { sub: 'disowned', email, email_verified: false };
    await signIn(provider, service);
    const { browser } = await beginWithProvider(service);
    for (const query of ['?code=x', '?code=x&state=unknown', '?state=x', '']) {
      await browser.fetch(`/auth/callback/openid${query}`);
    }
    await browser.post('/auth/sign-in/social', { provider: 'openid', callbackURL: 'https://evil.test' });
    const levels = service.log.slice(logged).map((line) => JSON.parse(line).level);
    expect(levels.filter((level) => level >= 50)).toEqual([]);
  });

  it('logs with which code the provider refused a sign-in', async ({ provider, service }) => {
    const { browser, address } = await beginWithProvider(service);
    const back = new URL(provider.authorize(address));
    back.searchParams.set('code', 'unknown');
    const logged = service.log.length;
    await browser.fetch(back.pathname + back.search);
    const [error] = service.log.slice(logged).map((line) => JSON.parse(line));
    expect(error).toMatchObject({ level: 50, part: 'sign-in', refusal: 'invalid_grant' });
  });

  it('accepts a callback once', async ({ provider, service }) => {
    provider.identity = { sub: 'eric', email: (await service.person()).email, email_verified: true };
    const { browser, address } = await beginWithProvider(service);
    const back = new URL(provider.authorize(address));
    const arrive = async () => (await browser.fetch(back.pathname + back.search)).headers.get('location');
    expect(await arrive()).toBe('/threads');
    expect(await arrive()).toMatch(/\/sign-in\?error=state_/);
  });

  it('accepts tokens from the provider itself alone', async ({ service }) => {
    const { status, body } = await browserOf(service).post('/auth/sign-in/social', {
      provider: 'openid',
      idToken: { token: 'eyJhbGciOiJub25lIn0.e30.' },
    });
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'NO_TOKENS_HERE' } });
  });

  it('never redirects to another site afterwards', async ({ service }) => {
    const { status } = await browserOf(service).post('/auth/sign-in/social', {
      provider: 'openid',
      callbackURL: 'https://evil.test/',
    });
    expect(status).toBe(403);
  });
});
