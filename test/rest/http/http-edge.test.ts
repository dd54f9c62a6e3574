/**
 * Requests as no client library sends them. What is HTTP gets an answer of the documented shape, and what is not gets one of
 * Node; two readers never take two requests out of the same bytes, and nothing that was refused has done anything. None of it, and
 * nobody who leaves, ends the server or is reported as its defect.
 */
import { connect } from 'node:net';
import { describe, expect, vi } from 'vitest';
import type { Person, TestService } from '../../support/service.js';
import { it } from './http-fixture.js';
import { exchange } from './raw-http.js';

it.afterEach(async ({ ada }) => {
  expect((await ada.rest.get('/me')).status).toBe(200);
});

interface Answer {
  status: number;
  head: string;
  body: Record<string, unknown>;
}

/** The answers to what is sent over one connection, which the last request closes. */
async function send(service: TestService, bytes: string | Buffer): Promise<Answer[]> {
  const received = await exchange(service.url, bytes);
  return received.split(/(?=HTTP\/1\.1 \d{3} )/).map((answer) => {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    return { status, head, body: body.startsWith('{') ? JSON.parse(body) : {} };
  });
}

const authorization = (ada: Person) => `Authorization: Bearer ${ada.token}\r\n`;
const me = (ada: Person, host: string) =>
  `GET /api/v1/me HTTP/1.1\r\n${host}Connection: close\r\n${authorization(ada)}\r\n`;

const json = (body: string) =>
  `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const request = (ada: Person, method: string, target: string) =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization(ada)}`;

/** Node's own answer: a status and the end of the connection, and nothing of what was sent. */
function expectStatus(answer: Answer | undefined, status: number): void {
  expect(answer?.head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\w ]+\r\nConnection: close`));
  expect(answer?.body).toEqual({});
}

function expectProblem(answer: Answer | undefined, status: number, code: string): void {
  expect([answer?.status, answer?.body['status'], answer?.body['code']]).toEqual([status, status, code]);
  expect(answer?.head).toContain('application/problem+json');
  expect(answer?.head).toContain(String(answer?.body['request_id']));
}

describe('the header Host', () => {
  it.for([
    ['twice the same', 'Host: a.test\r\nHost: a.test\r\n'],
    ['twice', 'Host: a.test\r\nhost: b.test\r\n'],
    ['missing', ''],
    ['empty', 'Host:\r\n'],
    ['with a path', 'Host: a.test/x\r\n'],
    ['with somebody in front', 'Host: ada@a.test\r\n'],
    ['with a blank', 'Host: a.test b.test\r\n'],
    ['with a list', 'Host: a.test, b.test\r\n'],
    ['with a port that is none', 'Host: a.test:http\r\n'],
    ['with a port that is too large', 'Host: a.test:65536\r\n'],
    ['with two ports', 'Host: a.test:80:80\r\n'],
    ['of an open bracket', 'Host: [::1\r\n'],
    ['of a bracket that holds no address', 'Host: [a.test]\r\n'],
    ['of an address without brackets', 'Host: ::1\r\n'],
    ['of other characters', 'Host: a_b%00.test"\r\n'],
    ['of a query', 'Host: a.test?x\r\n'],
  ] as const)('is refused: %s', async ([_what, host], { service, ada }) => {
    const [answer] = await send(service, me(ada, host));
    expectProblem(answer, 400, 'invalid_request');
  });

  it.for(['a.test', 'a.test:', 'A.test:8443', 'localhost:4000', '127.0.0.1', '[::1]:80', '[2001:db8::1]', 'a_b.svc.'])(
    'may be %s',
    async (host, { service, ada }) => expect((await send(service, me(ada, `Host: ${host}\r\n`)))[0]?.status).toBe(200),
  );

  it('may be missing in HTTP/1.0', async ({ service, ada }) => {
    expect((await send(service, `GET /api/v1/me HTTP/1.0\r\n${authorization(ada)}\r\n`))[0]?.status).toBe(200);
  });

  it.for(['Authorization: Bearer x', 'Content-Type: application/json', 'Last-Event-ID: 1-4'])(
    'is not the only one that can be given once: %s',
    async (line, { service }) => {
      const twice = `GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${line}\r\n${line}\r\n\r\n`;
      expectProblem((await send(service, twice))[0], 400, 'invalid_request');
    },
  );
});

describe('what is not HTTP', () => {
  const post = `POST /api/v1/threads HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  const smuggled = 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n';
  it.for([
    ['a length and chunks', `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunks and a length', `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${smuggled}`],
    ['a list of lengths', `${post}Content-Length: 2, 40\r\n\r\n{}${smuggled}`],
    ['a length with a sign', `${post}Content-Length: +2\r\n\r\n{}${smuggled}`],
    ['a length below zero', `${post}Content-Length: -1\r\n\r\n{}${smuggled}`],
    ['a hexadecimal length', `${post}Content-Length: 0x2\r\n\r\n{}${smuggled}`],
    ['chunks that are not the last coding', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a coding that is hidden', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a blank before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a folded header', `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a chunk without a size', `${post}Transfer-Encoding: chunked\r\n\r\n\r\n\r\n${smuggled}`],
    [
      'a chunk with a size that is too large',
      `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${smuggled}`,
    ],
    [
      'a chunk that is longer than its size',
      `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n${smuggled}`,
    ],
    ['a line that ends with a line feed alone', `GET /api/v1/me HTTP/1.1\nHost: x\n\n${smuggled}`],
    ['a carriage return in a header', `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n${smuggled}`],
    ['U+0000 in a header', `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n${smuggled}`],
    ['a blank in the target', `GET /api/v1/me x HTTP/1.1\r\nHost: x\r\n\r\n${smuggled}`],
    ['another version', `GET /api/v1/me HTTP/3.7\r\nHost: x\r\n\r\n${smuggled}`],
    ['bytes that are no HTTP', '\x00\xff\xfe junk\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the start of TLS', Buffer.from('160301020001000001fc0303', 'hex')],
    ['a method in lower case', `get /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n${smuggled}`],
    ['an unknown method', `FOO /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n${smuggled}`],
  ] as const)(
    'ends the connection with one 400, and what follows is no request: %s',
    async ([_what, bytes], { service }) => {
      const before = await service.database.thread.count();
      const answers = (await send(service, bytes)).filter(({ status }) => status);
      // A body that arrived whole in front of the fault may have been answered already: 401, for it has no token.
      if (answers[0]?.status !== 401) expectStatus(answers[0], 400);
      for (const { status } of answers) expect([400, 401]).toContain(status);
      expect(answers.length).toBeLessThanOrEqual(2);
      expect(await service.database.thread.count()).toBe(before);
    },
  );

  it.for([
    ['headers of 20 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['10,000 headers', `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(10_000)}\r\n`],
    ['a path of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ] as const)('is refused with 431 where it is too large: %s', async ([_what, bytes], { service }) => {
    expectStatus((await send(service, bytes))[0], 431);
  });

  it.for(['gzip, chunked', 'identity, chunked'])('is 501 where its body comes in "%s"', async (coding, { service }) => {
    const before = await service.database.thread.count();
    const lines = service.log.length;
    const bytes = `${post}Transfer-Encoding: ${coding}\r\n\r\nd\r\n{"text":"Hi"}\r\n0\r\n\r\n`;
    const [answer, ...more] = await send(service, bytes);
    expectProblem(answer, 501, 'not_implemented');
    expect([answer?.head.includes('Connection: close'), more]).toEqual([true, []]);
    expect(await service.database.thread.count()).toBe(before);
    expect(service.log.slice(lines).filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});

describe('what is HTTP, and unusual', () => {
  it.for([
    ['an upgrade to a websocket', 'Upgrade: websocket\r\nConnection: Upgrade, close\r\n'],
    [
      'an upgrade to HTTP/2',
      'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings, close\r\n',
    ],
    ['a range', 'Range: bytes=0-3\r\nConnection: close\r\n'],
  ] as const)('is answered as if it were not there: %s', async ([_what, lines], { service, ada }) => {
    const [answer] = await send(service, `GET /api/v1/me HTTP/1.1\r\nHost: x\r\n${authorization(ada)}${lines}\r\n`);
    expect([answer?.status, answer?.body['sub']]).toEqual([200, ada.id]);
  });

  it.for([
    '//api/v1/me',
    '/api//v1/me',
    '/api/v1//me',
    '/api/v1/%6de',
    '/api%2Fv1%2Fme',
    '/api/v1/../v1/me',
    '/api/v1/./me',
  ])('has one path, which is not made another: %s', async (target, { service, ada }) => {
    const [answer] = await send(service, `${request(ada, 'GET', target)}\r\n`);
    expectProblem(answer, 404, 'not_found');
  });
});

describe('a compressed body', () => {
  const places: [method: string, path: string, type: string][] = [
    ['POST', '/api/v1/threads', 'application/json'],
    ['POST', '/graphql', 'application/json'],
    ['POST', '/auth/sign-in/email', 'application/json'],
    ['POST', '/auth/link', 'application/x-www-form-urlencoded'],
  ];
  it.for(places)('is 415, which says what is taken: %s %s', async ([method, path, type], { ada, client }) => {
    for (const encoding of ['gzip', 'br', 'identity, gzip', 'x']) {
      const headers = { authorization: `Bearer ${ada.token}`, 'content-type': type, 'content-encoding': encoding };
      const reply = await client.send({ method, path, headers, body: '{}' });
      expect([encoding, reply.status, reply.headers['accept-encoding']]).toEqual([encoding, 415, 'identity']);
      expect(reply.body).toMatch(/without \\"Content-Encoding\\"/);
    }
  });

  it('is not what `identity` declares', async ({ ada, client }) => {
    const headers = {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/json',
      'content-encoding': 'identity',
    };
    const reply = await client.send({ method: 'POST', path: '/api/v1/threads', headers, body: '{"text":"Hi"}' });
    expect(reply.status).toBe(201);
  });
});

describe('every answer', () => {
  it.for([
    ...['/', '/start.js', '/api/v1/me', '/graphql', '/graphql/stream', '/healthz', '/metrics', '/auth/methods'],
    '/nowhere',
  ])('tells browsers what may not be done with it: %s', async (path, { client }) => {
    const { headers } = await client.send({ method: 'GET', path, headers: { accept: 'text/html' } });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['referrer-policy']).toMatch(/^(no-referrer|same-origin)$/);
    expect(headers['strict-transport-security']).toMatch(/^max-age=/);
  });

  it('that is a page disables the powerful features of the browser, and no other has the long header for that', async ({
    client,
  }) => {
    const { headers } = await client.send({ method: 'GET', path: '/', headers: { accept: 'text/html' } });
    for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb']) {
      expect(headers['permissions-policy']).toContain(`${feature}=()`);
    }
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    const icon = await client.send({ method: 'GET', path: '/icon.svg' });
    expect(icon.status).toBe(200);
    expect(icon.headers['permissions-policy']).toBeUndefined();
  });
});

describe('a target that is an absolute URL', () => {
  it.for(['http://a.test/api/v1/me', 'http://a:99999999/graphql?query={__typename}'])(
    'is served by its path, whatever its host is: %s',
    async (target, { service, ada }) => {
      expect((await send(service, `${request(ada, 'GET', target)}\r\n`))[0]?.status).toBe(200);
    },
  );

  it.for(['http://[/api/v1/me', 'http://[/graphql', 'http://%ff@a/api/v1/me', 'http://a:99999999/nowhere', 'http://'])(
    'is refused where it is none: %s',
    async (target, { service, ada }) => {
      const received = await exchange(service.url, `${request(ada, 'GET', target)}\r\n`);
      expect(received).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(received).toContain('"request_id"');
    },
  );
});

describe('an expectation', () => {
  it('of 100-continue is met', async ({ service, ada }) => {
    const post = request(ada, 'POST', '/api/v1/threads');
    const answers = await send(service, `${post}Expect: 100-continue\r\n${json('{"text":"Hi"}')}`);
    expect(answers.map(({ status }) => status)).toEqual([100, 201]);
  });

  it('of anything else is refused, and nothing is done', async ({ service, ada }) => {
    const before = await service.database.thread.count();
    const post = request(ada, 'POST', '/api/v1/threads');
    expect((await send(service, `${post}Expect: money\r\n${json('{"text":"Hi"}')}`))[0]?.status).toBe(417);
    expect(await service.database.thread.count()).toBe(before);
  });
});

describe('a connection', () => {
  it('is closed after junk that follows a good request', async ({ service, ada }) => {
    const keep = request(ada, 'GET', '/api/v1/me').replace('close', 'keep-alive');
    expect(await exchange(service.url, `${keep}\r\n\x00\xff junk\r\n\r\n`)).toContain('HTTP/1.1 400 Bad Request');
  });

  it('may end in the middle of a body: nothing is stored, and it is no defect', async ({ service, ada }) => {
    const before = await service.database.thread.count();
    const lines = service.log.length;
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(request(ada, 'POST', '/api/v1/threads') + json('{"text":"Hi"}').slice(0, -4));
    await new Promise((resolve) => socket.write('', resolve));
    socket.resetAndDestroy();
    await vi.waitFor(() => expect(service.log.slice(lines).join('')).toContain('the caller disconnected'), {
      timeout: 10_000,
    });
    const levels = service.log.slice(lines).map((line) => JSON.parse(line).level);
    expect(Math.max(...levels)).toBeLessThan(50);
    expect(await service.database.thread.count()).toBe(before);
  });
});
