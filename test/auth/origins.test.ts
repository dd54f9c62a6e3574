/**
 * From which page a request of somebody signed in may come, on every surface that changes something by a cookie: only from one of
 * ours, by whatever name another one goes. What is refused has done nothing.
 */
import { describe, expect } from 'vitest';
import { RawClient, type RawRequest } from '../rest/http/raw-http.js';
import { serviceTest } from '../support/fixtures/service.js';
import type { Person, TestService } from '../support/service.js';
import type { Browser } from './browser.js';
import { linkSecret, password, signedIn } from './people.js';

interface Stage {
  service: TestService;
  ada: Person;
  /** Ada's, who is signed in. */
  browser: Browser;
  client: RawClient;
  attachment: string;
  /** The secret of a link that signs Ada in. */
  link: string;
}

const it = serviceTest({ settings: { concurrency: 0 }, environment: { SIGN_INS_PER_ADDRESS: 'off' } }).extend(
  'stage',
  { scope: 'file' },
  async ({ service, ada }, { onCleanup }): Promise<Stage> => {
    const browser = await signedIn(service, ada, password);
    const client = new RawClient(service.url);
    onCleanup(() => client.close());
    const { a } = await browser.graphql(announce);
    return { service, ada, browser, client, attachment: a.attachment.id, link: await linkSecret(service, ada) };
  },
);

const announce = `mutation { a: uploadAttachment(input: {name: "a.txt", mediaType: "text/plain", size: 2}) {
  ... on AttachmentUpload { attachment { id } } } }`;
const mutation = JSON.stringify({ query: 'mutation { createThread(input: {text: "Forged"}) { __typename } }' });
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const post = (headers: Record<string, string>, body: string | object) => ({
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Everything that changes something for whoever has a cookie; `{id}` is that of an attachment. */
const surfaces: [name: string, request: (stage: Stage) => Pick<RawRequest, 'headers' | 'body'>][] = [
  ['POST /graphql', () => post(json, mutation)],
  ['POST /graphql/stream', () => post(json, mutation)],
  ['PUT /graphql/stream', () => ({ headers: { 'x-graphql-yoga-csrf': '1' } })],
  ['PUT /attachments/{id}', () => post({ 'content-type': 'text/plain' }, 'hi')],
  ['POST /auth/sign-out', () => post(json, {})],
  ['POST /auth/revoke-sessions', () => post(json, {})],
  ['POST /auth/change-password', () => post(json, { currentPassword: password, newPassword: 'that of somebody else' })],
  ['POST /auth/sign-in/email', ({ ada }) => post(json, { email: ada.email, password })],
  ['POST /auth/sign-in/link', ({ link }) => post(json, { token: link, password })],
  ['POST /auth/link', ({ link }) => post(form, `token=${link}`)],
];

const foreign = [
  'null',
  'https://evil.test',
  'https://skein.test.evil.test',
  'https://evil-skein.test',
  'https://sub.skein.test',
  'https://skein.test:8443',
  'https://skein.test@evil.test',
  'http://skein.test',
  'http://skein.test:443',
  'file://',
  'skein.test',
  'nonsense',
];

const malformed = ['evil.test/', 'skein.test@evil.test', 'skein.test, evil.test', 'skein.test:https', '[::1'];

/** What a forgery would have changed. */
async function state({ service, ada, attachment }: Stage) {
  const { database } = service;
  const where = { userId: ada.id };
  return {
    threads: await database.thread.count(),
    sessions: await database.session.count({ where }),
    password: await database.account.findFirst({ where, select: { password: true } }),
    link: await database.signInLink.count({ where }),
    attachment: await database.attachment.findUnique({ where: { id: attachment }, select: { uploadedAt: true } }),
  };
}

function ask({ browser, client }: Stage, request: RawRequest, headers: Record<string, string>) {
  return client.send({ ...request, headers: { cookie: browser.cookies, ...request.headers, ...headers } });
}

const hosts = ['skein.test', 'other.test', '127.0.0.1:1'];
const asked = [
  ['http://skein.test', 'skein.test', ''],
  ['http://skein.test', 'skein.test', 'http'],
  ['http://other.test', 'other.test', 'https'],
  ['https://other.test', 'other.test', 'http'],
  ['https://other.test', 'other.test', ''],
].map(([origin = '', host = '', proto]) => ({ origin, host, ...(proto && { 'x-forwarded-proto': proto }) }));

/** From where requests come that nobody of ours has made. */
const forgeries: [from: string, headers: Record<string, string>[]][] = [
  ['a page of another origin, however alike', foreign.map((origin) => ({ origin }))],
  [
    'a cross-site page that sends our origin',
    ['cross-site', 'same-site', 'nonsense'].map((site) => ({ origin: 'https://skein.test', 'sec-fetch-site': site })),
  ],
  [
    'a foreign page, whatever host it names',
    [...hosts.map((host) => ({ origin: 'https://evil.test', host })), ...asked],
  ],
];

describe.each(surfaces)('%s with a cookie', (name, contents) => {
  const request = (stage: Stage): RawRequest => {
    const [method = '', path = ''] = name.replace('{id}', stage.attachment).split(' ');
    return { method, path, ...contents(stage) };
  };

  it.for(forgeries)('is refused with 403 from %s', async ([_from, headers], { stage }) => {
    const before = await state(stage);
    for (const sent of headers) {
      const { status, body } = await ask(stage, request(stage), sent);
      expect([sent, status, body]).toEqual([sent, 403, expect.stringMatching(/possible_forgery|POSSIBLE_FORGERY/)]);
    }
    expect(await state(stage)).toEqual(before);
  });

  it('is refused with 400 for a host that is none', async ({ stage }) => {
    const before = await state(stage);
    for (const host of malformed) {
      const { status, body } = await ask(stage, request(stage), { origin: 'https://skein.test', host });
      expect([host, status, JSON.parse(body)]).toEqual([
        host,
        400,
        expect.objectContaining({ code: 'invalid_request' }),
      ]);
    }
    expect(await state(stage)).toEqual(before);
  });
});

describe('REST', () => {
  it('takes no cookie, from a page of any origin', async ({ stage }) => {
    const before = await state(stage);
    const create: RawRequest = {
      method: 'POST',
      path: '/api/v1/threads',
      headers: json,
      body: JSON.stringify({ text: 'Forged' }),
    };
    for (const origin of [...foreign, 'https://skein.test']) {
      const { status, body } = await ask(stage, create, { origin });
      const refusal = expect.objectContaining({ code: 'missing_token' });
      expect([origin, status, JSON.parse(body)]).toEqual([origin, 401, refusal]);
    }
    expect(await state(stage)).toEqual(before);
  });

  it('accepts a token from a page of any site, since no browser sends it by itself', async ({ stage }) => {
    const create: RawRequest = {
      method: 'POST',
      path: '/api/v1/threads',
      headers: { ...json, authorization: `Bearer ${stage.ada.token}` },
      body: JSON.stringify({ text: 'Meant' }),
    };
    for (const origin of ['null', 'https://evil.test']) expect((await ask(stage, create, { origin })).status).toBe(201);
  });
});
