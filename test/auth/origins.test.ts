/**
 * From which page a request of somebody signed in may come, on every surface that changes something by a cookie: only from one of
 * ours, by whatever name another one goes. What is refused has done nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawClient, type RawRequest } from '../rest/http/raw-http.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import type { Browser } from './browser.js';
import { linkSecret, password, signedIn } from './people.js';

let service: TestService;
let ada: Person;
let browser: Browser;
let client: RawClient;
let attachment: string;
let link: string;
beforeAll(async () => {
  service = await startTestService({ settings: { concurrency: 0 }, environment: { SIGN_INS_PER_ADDRESS: 'off' } });
  ada = await service.person();
  browser = await signedIn(service, ada, password);
  client = new RawClient(service.url);
  const { a } = await browser.graphql(announce);
  attachment = a.attachment.id;
  link = await linkSecret(service, ada);
});
afterAll(async () => {
  client.close();
  await service.stop();
});

const announce = `mutation { a: uploadAttachment(input: {name: "a.txt", mediaType: "text/plain", size: 2}) {
  ... on AttachmentUpload { attachment { id } } } }`;
const mutation = JSON.stringify({ query: 'mutation { createThread(input: {text: "Forged"}) { __typename } }' });
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Everything that changes something for whoever has a cookie. */
const surfaces: [name: string, request: () => RawRequest][] = [
  ['POST /graphql', () => ({ method: 'POST', path: '/graphql', headers: json, body: mutation })],
  ['POST /graphql/stream', () => ({ method: 'POST', path: '/graphql/stream', headers: json, body: mutation })],
  ['PUT /graphql/stream', () => ({ method: 'PUT', path: '/graphql/stream', headers: { 'x-graphql-yoga-csrf': '1' } })],
  [
    'PUT /attachments/{id}',
    () => ({
      method: 'PUT',
      path: `/attachments/${attachment}`,
      headers: { 'content-type': 'text/plain' },
      body: 'hi',
    }),
  ],
  ['POST /auth/sign-out', () => ({ method: 'POST', path: '/auth/sign-out', headers: json, body: '{}' })],
  ['POST /auth/revoke-sessions', () => ({ method: 'POST', path: '/auth/revoke-sessions', headers: json, body: '{}' })],
  [
    'POST /auth/change-password',
    () => ({
      method: 'POST',
      path: '/auth/change-password',
      headers: json,
      body: JSON.stringify({ currentPassword: password, newPassword: 'a password of somebody else' }),
    }),
  ],
  [
    'POST /auth/sign-in/email',
    () => ({
      method: 'POST',
      path: '/auth/sign-in/email',
      headers: json,
      body: JSON.stringify({ email: ada.email, password }),
    }),
  ],
  ['POST /auth/link', () => ({ method: 'POST', path: '/auth/link', headers: form, body: `token=${link}` })],
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
async function state() {
  const { database } = service.service;
  const where = { userId: ada.id };
  return {
    threads: await database.thread.count(),
    sessions: await database.session.count({ where }),
    password: await database.account.findFirst({ where, select: { password: true } }),
    link: await database.signInLink.count({ where }),
    attachment: await database.attachment.findUnique({ where: { id: attachment }, select: { uploadedAt: true } }),
  };
}

function ask(request: RawRequest, headers: Record<string, string>) {
  return client.send({ ...request, headers: { cookie: browser.cookies, ...request.headers, ...headers } });
}

describe.each(surfaces)('%s with a cookie', (_name, request) => {
  it.each(foreign)('is refused with 403 from a page of %s', async (origin) => {
    const before = await state();
    const { status, body } = await ask(request(), { origin });
    expect([status, body]).toEqual([403, expect.stringMatching(/possible_forgery|POSSIBLE_FORGERY/)]);
    expect(await state()).toEqual(before);
  });

  it('is refused with 403 from a cross-site page that sends our origin', async () => {
    const before = await state();
    for (const site of ['cross-site', 'same-site', 'nonsense']) {
      const { status } = await ask(request(), { origin: 'https://skein.test', 'sec-fetch-site': site });
      expect([site, status]).toEqual([site, 403]);
    }
    expect(await state()).toEqual(before);
  });

  it('is refused with 403 from a foreign page, whatever host it names', async () => {
    const before = await state();
    for (const host of ['skein.test', 'other.test', '127.0.0.1:1']) {
      const { status } = await ask(request(), { origin: 'https://evil.test', host });
      expect([host, status]).toEqual([host, 403]);
    }
    expect(await state()).toEqual(before);
  });

  it.each([
    ['http://skein.test', 'skein.test', ''],
    ['http://skein.test', 'skein.test', 'http'],
    ['http://other.test', 'other.test', 'https'],
    ['https://other.test', 'other.test', 'http'],
    ['https://other.test', 'other.test', ''],
  ])('is refused with 403 from a page of %s where %s is asked over "%s"', async (origin, host, proto) => {
    const before = await state();
    const { status } = await ask(request(), { origin, host, ...(proto ? { 'x-forwarded-proto': proto } : {}) });
    expect(status).toBe(403);
    expect(await state()).toEqual(before);
  });

  it.each(malformed)('is refused with 400 for the host "%s"', async (host) => {
    const before = await state();
    const { status, body } = await ask(request(), { origin: 'https://skein.test', host });
    expect([status, JSON.parse(body)]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })]);
    expect(await state()).toEqual(before);
  });
});

describe('REST', () => {
  it.each([...foreign, 'https://skein.test'])('takes no cookie from a page of %s', async (origin) => {
    const before = await state();
    const create: RawRequest = {
      method: 'POST',
      path: '/api/v1/threads',
      headers: json,
      body: JSON.stringify({ text: 'Forged' }),
    };
    const { status, body } = await ask(create, { origin });
    expect([status, JSON.parse(body)]).toEqual([401, expect.objectContaining({ code: 'missing_token' })]);
    expect(await state()).toEqual(before);
  });

  it('accepts a token from a page of any site, since no browser sends it by itself', async () => {
    const create: RawRequest = {
      method: 'POST',
      path: '/api/v1/threads',
      headers: { ...json, authorization: `Bearer ${ada.token}` },
      body: JSON.stringify({ text: 'Meant' }),
    };
    for (const origin of ['null', 'https://evil.test']) expect((await ask(create, { origin })).status).toBe(201);
  });
});
