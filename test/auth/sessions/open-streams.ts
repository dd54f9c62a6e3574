/** Everything that a colleague can have open: each subscription over each transport, REST's stream, a reserved stream. */
import { scopes } from '../../../src/contract.js';
import { RestClient } from '../../support/clients/rest-client.js';
import type { Person, TestService } from '../../support/service.js';
import { Browser } from '../browser.js';
import { linkSecret } from '../people.js';

export interface Viewing {
  name: string;
  /** True where it shows one thread: then it ends when that becomes private. */
  ofThread: boolean;
  /** Resolves when the stream has ended. */
  over: Promise<void>;
  isOver: boolean;
  close: () => void;
}

export interface Colleague {
  person: Person;
  /** Signed in, on the node where the streams are. */
  browser: Browser;
}

interface Scene {
  service: TestService;
  url: string;
}

/** Opens all of it, on a thread of the owner; a token cannot be had by a session, nor REST by a cookie. */
export async function openEverything(
  { service, url }: Scene,
  credential: 'token' | 'session',
  given?: { owner: Person; threadId: string; as: Person },
) {
  const owner = given?.owner ?? (await service.person());
  const sent = given ? null : await owner.rest.createThread({ text: 'Hello' });
  const threadId = given?.threadId ?? sent?.threadId ?? '';
  const { id: messageId } = await service.database.message.findFirstOrThrow({ where: { threadId } });
  const person = given?.as ?? (await service.person());
  const browser = new Browser(url);
  await browser.post('/auth/sign-in/link', { token: await linkSecret(service, person) });
  const token = await service.token(person.id, scopes);
  const headers: Record<string, string> =
    credential === 'token' ? { authorization: `Bearer ${token}` } : { cookie: browser.cookies, origin: browser.origin };
  const subscriptions = [
    ['threadsChanged', '{ threadsChanged { __typename } }', false],
    ['threadChanged', `{ threadChanged(id: "${threadId}") { __typename } }`, true],
    ['threadPresence', `{ threadPresence(threadId: "${threadId}") { __typename } }`, true],
    ['responseEvents', `{ responseEvents(messageId: "${messageId}") { __typename } }`, true],
  ] as const;
  const viewings = subscriptions.flatMap(([name, query, ofThread]) =>
    ['/graphql', '/graphql/stream'].map((path) => {
      const body = JSON.stringify({ query: `subscription ${query}` });
      const sentHeaders = { ...headers, accept: 'text/event-stream', 'content-type': 'application/json' };
      return open(`${name} on ${path}`, ofThread, url + path, { method: 'POST', headers: sentHeaders, body });
    }),
  );
  const reservation = await fetch(`${url}/graphql/stream`, {
    method: 'PUT',
    headers: { ...headers, 'x-graphql-yoga-csrf': '1' },
  });
  const reserved = `${url}/graphql/stream?token=${await reservation.text()}`;
  viewings.push(
    open('a reserved stream', false, reserved, {
      headers: { ...headers, accept: 'text/event-stream', 'x-graphql-yoga-csrf': '1' },
    }),
  );
  if (credential === 'token') {
    const path = `${url}/api/v1/threads/${threadId}/messages/${messageId}/response/stream`;
    viewings.push(open('the stream of REST', true, path, { headers }));
  }
  const colleague: Colleague = {
    person: { ...person, rest: new RestClient({ origin: url, prefix: '/api/v1', token }) },
    browser,
  };
  return { owner, threadId, colleague, viewings: await Promise.all(viewings) };
}

/** Resolves when the first bytes have come. */
async function open(name: string, ofThread: boolean, url: string, init: RequestInit): Promise<Viewing> {
  const abort = new AbortController();
  const response = await fetch(url, { ...init, signal: abort.signal });
  const reader = response.body?.getReader();
  if (response.status !== 200 || !reader) throw new Error(`${name} → ${response.status} ${await response.text()}`);
  await reader.read();
  const viewing: Viewing = { name, ofThread, over: Promise.resolve(), isOver: false, close: () => abort.abort() };
  const drain = async () => {
    while (!(await reader.read()).done) {
      // What was on its way already may still come.
    }
  };
  // A stream that is cut is over as well.
  viewing.over = drain()
    .catch(() => undefined)
    .then(() => {
      viewing.isOver = true;
    });
  return viewing;
}
