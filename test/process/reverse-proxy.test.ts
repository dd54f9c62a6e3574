/** The service behind the proxies of `docs/reverse-proxy.md`: what it promises holds there too. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer as bytesOf, text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gate, text, wait } from '../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { isInstalled, type ProxyName, type RunningProxy, startProxy } from './reverse-proxy.js';

const names: ProxyName[] = ['nginx', 'haproxy', 'caddy'];
const missing = names.filter((name) => !isInstalled(name));
if (missing.length > 0)
  console.warn(`Not in PATH: ${missing.join(', ')}. Its configuration in the documents is not tried.`);

describe.each(names)('behind %s', (name) => {
  if (missing.includes(name)) {
    it.skip('is skipped, because the program is not installed', () => undefined);
    return;
  }
  let service: TestService;
  let ada: Person;
  let proxy: RunningProxy;
  beforeAll(async () => {
    service = await startTestService({ environment: { SIGN_INS_PER_ADDRESS: '3' } });
    ada = await service.person();
    proxy = await startProxy(name, service.url);
  }, 60_000);
  afterAll(async () => {
    await proxy.stop();
    await service.stop();
  });

  interface Sent {
    method?: string;
    path: string;
    headers?: Record<string, string>;
    body?: string | Buffer;
  }

  /** A request through the proxy, with the token of Ada. */
  function open({ method = 'GET', path, headers = {}, body }: Sent): Promise<IncomingMessage> {
    const all = { host: 'skein.test', authorization: `Bearer ${ada.token}`, ...headers };
    return new Promise((resolve, reject) => {
      // A connection of its own: one that was kept may be closed by the proxy in the moment in which it is used again.
      const address = { host: '127.0.0.1', port: proxy.port, rejectUnauthorized: false, agent: false };
      const options = { ...address, method, path, headers: all };
      secureRequest(options, resolve).on('error', reject).end(body);
    });
  }

  async function json(sent: Sent) {
    const response = await open(sent);
    return {
      status: response.statusCode,
      headers: response.headers,
      body: JSON.parse((await textOf(response)) || 'null'),
    };
  }

  const graphql = (query: string, variables: object) => {
    const headers = { 'content-type': 'application/json' };
    return json({ method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query, variables }) });
  };

  it('REST answers as it does without a proxy, refusals too', async () => {
    expect(await json({ path: '/api/v1/me' })).toMatchObject({ status: 200, body: { sub: ada.id } });
    expect(await json({ path: '/api/v1/nowhere' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const tooLarge = { method: 'POST', path: '/api/v1/threads', headers: { 'content-type': 'application/json' } };
    const refused = await json({ ...tooLarge, body: JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) }) });
    expect([refused.status, refused.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('an attachment of 10 MiB goes up and comes down again', async () => {
    const content = randomBytes(10 * 1024 * 1024);
    content.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const announce = `mutation ($size: Int!) { uploadAttachment(input: {name: "a.png", mediaType: "image/png", size: $size}) {
      ... on AttachmentUpload { attachment { id } } } }`;
    const { body } = await graphql(announce, { size: content.length });
    const path = `/attachments/${body.data.uploadAttachment.attachment.id}`;
    const put = await open({ method: 'PUT', path, headers: { 'content-type': 'image/png' }, body: content });
    expect([put.statusCode, await textOf(put)]).toEqual([204, '']);
    const answer = await open({ path });
    const got = await bytesOf(answer);
    // An error says in its text what it is.
    expect([answer.statusCode, got.length], got.toString('latin1', 0, 500)).toEqual([200, content.length]);
    expect(got.equals(content)).toBe(true);
  });

  /** Reads until the text has come; what comes later is for the next call. */
  function reader(response: IncomingMessage) {
    let received = '';
    const chunks = response.setEncoding('utf8')[Symbol.asyncIterator]();
    return async (awaited: string) => {
      while (!received.includes(awaited)) {
        const { done, value } = await chunks.next();
        if (done) throw new Error(`The stream ended before ${awaited}: ${received}`);
        received += value;
      }
      return received;
    };
  }

  it.each([
    ['REST', (_id: string, path: string): Sent => ({ path })],
    ['GraphQL', (id: string): Sent => subscription('/graphql', id)],
    ['GraphQL over its own protocol', (id: string): Sent => subscription('/graphql/stream', id)],
  ])('a token of a stream is seen before the model says the next: %s', async (_transport, sentFor) => {
    const words = ['one', 'two', 'three', 'four'];
    const gates = words.map(gate);
    service.model.enqueue(words.flatMap((word, n) => [text(`${word} `), wait(gates[n]?.passed ?? Promise.resolve())]));
    const { threadId, messageId } = await ada.rest.createThread({ text: 'Hi' });
    const path = `/api/v1/threads/${threadId}/messages/${messageId}/response/stream`;
    const until = reader(await open(sentFor(messageId, path)));
    for (const [n, word] of words.entries()) {
      await until(word);
      gates[n]?.open();
    }
    expect(await until('one')).toContain('four');
  });

  function subscription(path: string, messageId: string): Sent {
    const query = `subscription { responseEvents(messageId: "${messageId}") { ... on ResponseToken { token } } }`;
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    return { method: 'POST', path, headers, body: JSON.stringify({ query }) };
  }

  it('a stream continues after Last-Event-ID', async () => {
    service.model.enqueue([text('Hello')]);
    const { threadId, messageId } = await ada.rest.readyThread({ text: 'Hi' });
    const path = `/api/v1/threads/${threadId}/messages/${messageId}/response/stream`;
    const rest = await textOf(await open({ path, headers: { 'last-event-id': '1-2' } }));
    expect(rest).toContain('data: {"token":"llo"}');
    expect(rest).toContain('event: done');
  });

  it('reports that people come over TLS, and from where', async () => {
    const { headers } = await json({ path: '/api/v1/me' });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    const seen: string[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const forwarded = { 'content-type': 'application/json', origin: 'https://skein.test' };
      const body = JSON.stringify({ email: `nobody-${attempt}@acme.test`, password: 'a wrong password' });
      const { status } = await json({ method: 'POST', path: '/auth/sign-in/email', headers: forwarded, body });
      seen.push(String(status));
    }
    // The proxy names one address for all of these attempts.
    expect(seen.at(-1)).toBe('429');
    expect(seen[0]).toBe('401');
  });

  it('a large head is taken, and one that is too large refused', async () => {
    expect((await json({ path: '/api/v1/me', headers: { 'x-large': 'x'.repeat(4000) } })).status).toBe(200);
    const refused = await open({ path: '/api/v1/me', headers: { 'x-large': 'x'.repeat(40_000) } });
    expect([400, 431, 494]).toContain(refused.statusCode);
    refused.resume();
  });
});

describe.skipIf(missing.includes('haproxy'))('HAProxy', () => {
  it('waits for a readiness that is checked as long as it may be', async () => {
    const checks = { asked: 0 };
    // The database answers within 1.5 s; a busy process adds to that.
    const slowlyReady = createServer((request, response) => {
      if (request.url !== '/readyz') return response.end('served');
      checks.asked += 1;
      return setTimeout(() => response.end(), 2000);
    }).listen(0, '127.0.0.1');
    await once(slowlyReady, 'listening');
    const proxy = await startProxy('haproxy', `http://127.0.0.1:${(slowlyReady.address() as AddressInfo).port}`);
    // Two that fail take a node out.
    await vi.waitFor(() => expect(checks.asked).toBe(3), { timeout: 20_000 });
    const address = { host: '127.0.0.1', port: proxy.port, rejectUnauthorized: false, agent: false };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      secureRequest(address, resolve).on('error', reject).end();
    });
    expect(await textOf(answer)).toBe('served');
    await proxy.stop();
    slowlyReady.close();
  });
});
