/** People who can sign in. */
import { issueSignInLink } from '../../src/modules/identity/sign-in-link.js';
import type { Person, TestService } from '../support/service.js';
import { type Browser, browserOf, secretOf } from './browser.js';

export const password = 'correct horse battery staple';

/** The secret of a new link of the person. */
export async function linkSecret({ service: { database } }: TestService, { id }: Pick<Person, 'id'>): Promise<string> {
  const { url } = await issueSignInLink(database, { userId: id, publicUrl: 'https://skein.test' });
  return secretOf(url);
}

/** A browser of the person, signed in with a link; with a password, that becomes theirs. */
export async function signedIn(service: TestService, person: Pick<Person, 'id'>, chosen?: string): Promise<Browser> {
  const browser = browserOf(service);
  const { status, body } = await browser.post('/auth/sign-in/link', {
    token: await linkSecret(service, person),
    ...(chosen ? { password: chosen } : {}),
  });
  if (status !== 200) throw new Error(`the link did not sign in: ${status} ${JSON.stringify(body)}`);
  return browser;
}

/** Begins to sign in with the provider of OpenID Connect; `address` is where the browser is sent. */
export async function beginWithProvider(service: TestService, browser = browserOf(service)) {
  const { status, body } = await browser.post<{ url: string }>('/auth/sign-in/social', {
    provider: 'openid',
    callbackURL: '/threads',
    errorCallbackURL: '/sign-in',
  });
  if (status !== 200) throw new Error(`the provider cannot be asked: ${status} ${JSON.stringify(body)}`);
  return { browser, address: body.url };
}
