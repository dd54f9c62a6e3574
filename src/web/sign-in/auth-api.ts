/** The sign-in of the service, under `/auth`. Each request that changes something is JSON, which no form of another site sends. */

export interface SignInMethods {
  password: boolean;
  openIdConnect: { name: string } | null;
}

/** Null where it worked, else what to tell whoever tried. */
type Refused = string | null;

export async function signInMethods(): Promise<SignInMethods> {
  const response = await fetch('/auth/methods').catch(() => null);
  return response?.ok ? response.json() : { password: true, openIdConnect: null };
}

export async function signInByPassword(email: string, password: string): Promise<Refused> {
  const response = await post('/auth/sign-in/email', { email, password });
  if (response?.ok) return null;
  if (response?.status === 401) {
    return 'Incorrect e-mail address or password. If you forgot your password, ask an administrator for a new sign-in link.';
  }
  return refusalOf(response);
}

/** Goes on to the provider's own page, and comes back to where somebody wanted to go, refused or not. */
export async function signInByProvider(callbackURL: string): Promise<Refused> {
  const body = { provider: 'openid', callbackURL, errorCallbackURL: callbackURL };
  const response = await post('/auth/sign-in/social', body);
  const answer: { url?: string } | undefined = response?.ok ? await response.json() : undefined;
  if (!answer?.url) return refusalOf(response);
  location.assign(answer.url);
  return null;
}

/** A session lasts thirty days from its last renewal. Where it fails, the next time is soon enough. */
export async function renewSession(): Promise<void> {
  await fetch('/auth/get-session').catch(() => null);
}

export async function signOut(): Promise<Refused> {
  const response = await post('/auth/sign-out', {});
  return response?.ok ? null : refusalOf(response);
}

/** Ends all sessions of the viewer, on every device, this one too. */
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
  if (!response) return 'The service cannot be reached. Check your connection, then try again.';
  if (response.status === 429) return 'Too many attempts. Wait a few minutes, then try again.';
  const answer: { message?: string; detail?: string } | null = await response.json().catch(() => null);
  return answer?.message ?? answer?.detail ?? 'Something went wrong. Try again in a moment.';
}
