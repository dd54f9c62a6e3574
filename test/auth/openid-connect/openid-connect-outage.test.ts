/** An unreachable or silent provider of OpenID Connect is reported to users who sign in, and affects nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderAwayError, SignIn } from '../../../src/auth/sign-in.js';
import { defaultSignInLimits } from '../../../src/auth/throttle.js';
import type { RunningService } from '../../../src/serve.js';
import { startTestService, type TestService } from '../../support/service.js';
import { logger } from '../../support/silent-logger.js';
import { browserOf } from '../browser.js';
import { beginWithProvider } from '../people.js';
import { client, Provider } from './provider.js';

let service: TestService;
let provider: Provider;
/** Never speaks to the provider but while that is away, until the end. */
let fresh: RunningService;
beforeAll(async () => {
  provider = await Provider.start();
  const environment = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret };
  service = await startTestService({ environment });
  fresh = await service.addNode();
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

describe('an unreachable provider', () => {
  it('redirects back with the reason if it disappears during a sign-in', async () => {
    const person = await service.person();
    provider.identity = { sub: 'gina', email: person.email, email_verified: true };
    const { browser, address } = await beginWithProvider(service);
    const back = new URL(provider.authorize(address));
    await provider.close();
    const arriveAt = (url: string) => browser.fetch(url + back.pathname + back.search);
    // One that knows the provider already, and one that would have to ask it first.
    for (const [url, error] of [
      [fresh.url, 'provider_unavailable'],
      [service.url, 'invalid_code'],
    ] as const) {
      const response = await arriveAt(url);
      expect({ status: response.status, location: response.headers.get('location') }).toEqual({
        status: 302,
        location: `/sign-in?error=${error}`,
      });
    }
    provider = await Provider.start(Number(new URL(provider.issuer).port));
  });

  it('is given up after a timeout', async () => {
    const { database } = service;
    const { issuer } = provider;
    const signIn = new SignIn({
      ...{ database, secret: 'x'.repeat(32), publicUrl: 'https://skein.test', logger },
      ...{ limits: defaultSignInLimits, providerMs: 50 },
      openIdConnect: {
        ...{ issuer, clientId: client.id, clientSecret: client.secret, name: 'Acme ID' },
        acceptsMissingEmailVerified: false,
      },
    });
    const ask = () => {
      const headers = { 'content-type': 'application/json', origin: 'https://skein.test' };
      const body = '{"provider": "openid"}';
      const url = 'https://skein.test/auth/sign-in/social';
      return signIn.answer(new Request(url, { method: 'POST', headers, body }), '/sign-in/social');
    };
    provider.isSilent = true;
    await expect(ask()).rejects.toThrow(ProviderAwayError);
    provider.isSilent = false;
  });

  it('does not block other ways to sign in, and works as soon as it is back', async () => {
    await provider.close();
    const ask = () => browserOf(fresh).post('/auth/sign-in/social', { provider: 'openid', callbackURL: '/' });
    const refused = await ask();
    expect({ status: refused.status, body: refused.body }).toMatchObject({
      status: 503,
      body: { code: 'provider_unavailable', detail: expect.stringContaining('in another way') },
    });
    expect(service.log.join('')).toContain('The discovery document of the provider cannot be read');
    expect((await browserOf(fresh).get('/auth/get-session')).status).toBe(200);
    provider = await Provider.start(Number(new URL(provider.issuer).port));
    expect((await ask()).status).toBe(200);
  });
});
