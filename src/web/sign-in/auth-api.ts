/**
 * The client of the sign-in endpoints under `/auth`. Requests that change something send JSON, which a form on another site
 * cannot.
 */
import { unreachable } from '../api/client.js';
import { defineTexts } from '../language/texts.js';

const texts = defineTexts('sign-in/auth-api', {
  incorrect:
    'Incorrect e-mail address or password. If you forgot your password, ask an administrator for a new sign-in link.',
  incorrectPassword: 'The current password is not correct.',
  noPassword: 'Your account has no password. Ask an administrator for a sign-in link, which lets you choose one.',
  tooMany: 'Too many attempts. Wait a few minutes, then try again.',
  unknown: 'Something went wrong. Try again in a moment.',
});

export interface SignInMethods {
  password: boolean;
  openIdConnect: { name: string } | null;
}

/** Null on success, else the message to show. */
type Refused = string | null;

/** Whether this is said of a password that is not the one of the account. */
export function blamesPassword(problem: Refused): boolean {
  const { incorrect, incorrectPassword } = texts.get();
  return problem === incorrect || problem === incorrectPassword;
}

export async function signInMethods(): Promise<SignInMethods> {
  const response = await fetch('/auth/methods').catch(() => null);
  return response?.ok ? response.json() : { password: true, openIdConnect: null };
}

export async function signInByPassword(email: string, password: string): Promise<Refused> {
  const response = await post('/auth/sign-in/email', { email, password });
  if (response?.ok) return null;
  if (response?.status === 401) {
    return texts.get().incorrect;
  }
  return refusalOf(response);
}

/** Navigates to the sign-in page of the provider, which returns to `callbackURL` whether the sign-in succeeds or fails. */
export async function signInByProvider(callbackURL: string): Promise<Refused> {
  const body = { provider: 'openid', callbackURL, errorCallbackURL: callbackURL };
  const response = await post('/auth/sign-in/social', body);
  const answer: { url?: string } | undefined = response?.ok ? await response.json() : undefined;
  if (!answer?.url) return refusalOf(response);
  location.assign(answer.url);
  return null;
}

export async function signOut(): Promise<Refused> {
  const response = await post('/auth/sign-out', {});
  return response?.ok ? null : refusalOf(response);
}

/** Ends all sessions of the viewer, including the current one. */
export async function signOutEverywhere(): Promise<Refused> {
  const response = await post('/auth/revoke-sessions', {});
  return response?.ok ? null : refusalOf(response);
}

export async function changePassword(currentPassword: string, newPassword: string): Promise<Refused> {
  const response = await post('/auth/change-password', { currentPassword, newPassword, revokeOtherSessions: true });
  return response?.ok ? null : refusalOf(response);
}

function post(path: string, body: object): Promise<Response | null> {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => null);
}

async function refusalOf(response: Response | null): Promise<string> {
  if (!response) return unreachable().message;
  if (response.status === 429) return texts.get().tooMany;
  const answer: { code?: string; message?: string; detail?: string } | null = await response.json().catch(() => null);
  if (answer?.code === 'INVALID_PASSWORD') return texts.get().incorrectPassword;
  if (answer?.code === 'CREDENTIAL_ACCOUNT_NOT_FOUND') return texts.get().noPassword;
  return answer?.message ?? answer?.detail ?? texts.get().unknown;
}
