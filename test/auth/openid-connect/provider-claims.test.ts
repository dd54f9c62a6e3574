/** What a provider's claims are worth: whom they sign in, and whom they must never sign in as. */
import { describe, expect } from 'vitest';
import type { Person, TestService } from '../../support/service.js';
import { browserOf } from '../browser.js';
import { beginWithProvider } from '../people.js';
import { type Provider, it as providerTest } from './provider.js';

const it = providerTest.extend(
  'acceptingUrl',
  { scope: 'file' },
  async ({ service }) => (await service.addNode({ OIDC_MISSING_EMAIL_VERIFIED: 'accept' })).url,
);
it.beforeEach(({ provider }) => {
  provider.distort = (claims) => claims;
  provider.userInfo = null;
  provider.givesIdTokens = true;
});

/** Claims of the ID token; undefined removes one. */
type Claims = Record<string, unknown>;

/** Signs in with these claims beside `sub`; gives the user whom the browser is then, or why it is nobody. */
async function signInWith(
  provider: Provider,
  service: TestService,
  claims: Claims,
  url = service.url,
): Promise<string> {
  const sub = `sub-${crypto.randomUUID()}`;
  provider.identity = { sub, email: 'replaced@acme.test' };
  const kept = provider.distort;
  provider.distort = (all) => kept({ ...all, email: undefined, ...claims });
  const { browser, address } = await beginWithProvider(service);
  const back = new URL(provider.authorize(address));
  const response = await browser.fetch(url + back.pathname + back.search);
  const refusal = new URL(response.headers.get('location') ?? '', 'https://skein.test').searchParams.get('error');
  const { body } = await browser.post<{ data?: { me: { sub: string } } }>('/graphql', { query: '{ me { sub } }' });
  return body.data?.me.sub ?? refusal ?? 'refused without a reason';
}

/** A name without letters that could be folded, before the domain. */
async function administrator(service: TestService, name: string): Promise<Person> {
  const person = await service.person({ role: 'admin' });
  const email = `${name}@acme.test`;
  await service.database.user.update({ where: { id: person.id }, data: { email } });
  return { ...person, email };
}

describe('email_verified', () => {
  it.for([[true], ['true']] as const)('signs in where it is %j', async ([value], { provider, service }) => {
    const { id, email } = await service.person({ role: 'admin' });
    expect(await signInWith(provider, service, { email, email_verified: value })).toBe(id);
  });

  it.for([[false], ['false'], [1], [null], ['TRUE'], [[true]]] as const)(
    'signs nobody in where it is %j, whatever the setting',
    async ([value], { provider, service, acceptingUrl }) => {
      const { email } = await service.person({ role: 'admin' });
      for (const url of [service.url, acceptingUrl]) {
        expect(await signInWith(provider, service, { email, email_verified: value }, url)).toBe('account_not_linked');
      }
    },
  );

  it('may be absent only if OIDC_MISSING_EMAIL_VERIFIED is "accept"', async ({ provider, service, acceptingUrl }) => {
    const { id, email } = await service.person({ role: 'admin' });
    expect(await signInWith(provider, service, { email })).toBe('account_not_linked');
    expect(await signInWith(provider, service, { email }, acceptingUrl)).toBe(id);
  });
});

describe('user info', () => {
  const withUserInfo = async (
    provider: Provider,
    service: TestService,
    claims: Claims,
    makeInfo: (sub: unknown) => Claims,
    url?: string,
  ) => {
    provider.distort = (all) => {
      provider.userInfo = makeInfo(all['sub']);
      return all;
    };
    return signInWith(provider, service, claims, url);
  };

  const lies = 'account_not_linked';
  it.for<[what: string, claims: (email: string) => Claims, info: (email: string) => Claims, refusal: string | null]>([
    ['completes an ID token without an address', () => ({}), (email) => ({ email, email_verified: true }), null],
    [
      'tells that the address is verified',
      (email) => ({ email }),
      (email) => ({ email, email_verified: 'true' }),
      null,
    ],
    ['can deny that it is', (email) => ({ email }), (email) => ({ email, email_verified: 'false' }), lies],
    [
      'cannot lend its verification to another address',
      (email) => ({ email }),
      () => ({ email: 'mallory@evil.test', email_verified: true }),
      lies,
    ],
    [
      'of somebody else signs nobody in',
      () => ({}),
      (email) => ({ sub: 'another', email, email_verified: true }),
      'unable_to_get_user_info',
    ],
  ])('%s, whatever the setting', async ([_what, claims, info, refusal], { provider, service, acceptingUrl }) => {
    for (const url of [service.url, acceptingUrl]) {
      const { id, email } = await service.person();
      const outcome = await withUserInfo(provider, service, claims(email), (sub) => ({ sub, ...info(email) }), url);
      expect(outcome).toBe(refusal ?? id);
    }
  });

  it('that cannot be fetched fails the sign-in, whatever the setting', async ({ provider, service, acceptingUrl }) => {
    const { email } = await service.person();
    provider.userInfo = 'an error';
    expect(await signInWith(provider, service, { email }, acceptingUrl)).toBe('account_not_linked');
  });

  it('is read up to 256 KiB; more fails the sign-in', async ({ provider, service }) => {
    const { id, email } = await service.person();
    const padded = (bytes: number) =>
      withUserInfo(provider, service, {}, (sub) => ({ sub, email, email_verified: true, padding: 'x'.repeat(bytes) }));
    expect(await padded(300_000)).toBe('email_not_found');
    expect(await padded(200_000)).toBe(id);
  });

  it('cannot replace an ID token', async ({ provider, service }) => {
    const { email } = await service.person({ role: 'admin' });
    provider.givesIdTokens = false;
    const outcome = await withUserInfo(provider, service, {}, (sub) => ({ sub, email, email_verified: true }));
    expect(outcome).toBe('unable_to_get_user_info');
  });
});

describe('an address that only looks like a user’s', () => {
  it.for<[string, string, (email: string) => string]>([
    ['the Kelvin sign, which becomes a k in lower case', 'mike-0', (email) => email.replace('k', '\u212a')],
    ['a dotless i', 'mimi-1', (email) => email.replace('i', '\u0131')],
    ['a dotted capital I', 'mimi-2', (email) => email.replace('i', '\u0130')],
    ['full-width letters', 'mimi-3', (email) => email.replace('m', '\uff4d')],
    ['a tag behind a plus sign', 'mama-5', (email) => email.replace('@', '+x@')],
    ['a dot at the end', 'mama-6', (email) => `${email}.`],
    ['a space at the end', 'mama-7', (email) => `${email} `],
    ['a zero-width space', 'mama-9', (email) => email.replace('@', '\u200b@')],
    [
      'the form that the sign-in library sees',
      'mama-10',
      (email) => `${Buffer.from(email).toString('hex')}@address.invalid`,
    ],
  ] as const)('signs nobody in: %s', async ([_what, name, imitate], { provider, service }) => {
    const { email } = await administrator(service, name);
    const outcome = await signInWith(provider, service, { email: imitate(email), email_verified: true });
    expect(['signup_disabled', 'account_not_linked']).toContain(outcome);
  });

  it('does not include one that differs in ASCII case alone', async ({ provider, service }) => {
    const { id, email } = await administrator(service, 'mike-11');
    expect(await signInWith(provider, service, { email: email.toUpperCase(), email_verified: true })).toBe(id);
  });
});

it('an ID token names its subject by "sub", and by no other claim', async ({ provider, service }) => {
  const { id, email } = await service.person();
  expect(await signInWith(provider, service, { email, email_verified: true, id: 'another' })).toBe(id);
  const [account] = await service.database.account.findMany({ where: { userId: id } });
  expect(account?.accountId).toMatch(/^sub-/);
});

it('a provider whose issuer differs from the configuration signs nobody in', async ({ provider, service }) => {
  const { port } = new URL(provider.issuer);
  const node = await service.addNode({ OIDC_ISSUER: `http://localhost:${port}` });
  const { status, body } = await browserOf(node).post('/auth/sign-in/social', { provider: 'openid', callbackURL: '/' });
  expect({ status, body }).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
  expect(service.log.join('')).toContain(`The issuer of the provider is \\"${provider.issuer}\\"`);
});
