/** Callers who do not speak HTTP well, or leave: none of them ends the server or is reported as its defect. */
import { connect } from 'node:net';
import { describe, expect, vi } from 'vitest';
import { it } from '../../support/fixtures/service.js';
import type { Person } from '../../support/service.js';
import { exchange } from './raw-http.js';

it.afterEach(async ({ ada }) => {
  expect((await ada.rest.get('/me')).status).toBe(200);
});

const head = (ada: Person, method: string, target: string) =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${ada.token}\r\n`;
const json = (body: string) =>
  `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe('a target that is an absolute URL', () => {
  it('is served by its path', async ({ service, ada }) => {
    expect(await exchange(service.url, `${head(ada, 'GET', 'http://a.test/api/v1/me')}\r\n`)).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  it.for(['http://[/api/v1/me', 'http://[/graphql', 'http://%ff@a/api/v1/me', 'http://a:99999999/nowhere', 'http://'])(
    'is refused where it is none: %s',
    async (target, { service, ada }) => {
      const received = await exchange(service.url, `${head(ada, 'GET', target)}\r\n`);
      expect(received).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(received).toContain('"request_id"');
    },
  );

  it('reaches GraphQL whatever its host is', async ({ service, ada }) => {
    const received = await exchange(
      service.url,
      `${head(ada, 'GET', 'http://a:99999999/graphql?query={__typename}')}\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('an expectation', () => {
  it('of 100-continue is met', async ({ service, ada }) => {
    const body = '{"text":"Hi"}';
    const received = await exchange(
      service.url,
      `${head(ada, 'POST', '/api/v1/threads')}Expect: 100-continue\r\n${json(body)}`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
  });

  it('of anything else is refused, and nothing is done', async ({ service, ada }) => {
    const before = await service.service.database.thread.count();
    const received = await exchange(
      service.url,
      `${head(ada, 'POST', '/api/v1/threads')}Expect: money\r\n${json('{"text":"Hi"}')}`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 417 /);
    expect(await service.service.database.thread.count()).toBe(before);
  });
});

describe('a connection', () => {
  it('is closed after junk that follows a good request', async ({ service, ada }) => {
    const keep = head(ada, 'GET', '/api/v1/me').replace('close', 'keep-alive');
    expect(await exchange(service.url, `${keep}\r\n\x00\xff junk\r\n\r\n`)).toContain('HTTP/1.1 400 Bad Request');
  });

  it('may end in the middle of a body: nothing is stored, and it is no defect', async ({ service, ada }) => {
    const before = await service.service.database.thread.count();
    const lines = service.log.length;
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(head(ada, 'POST', '/api/v1/threads') + json('{"text":"Hi"}').slice(0, -4));
    await new Promise((resolve) => socket.write('', resolve));
    socket.resetAndDestroy();
    await vi.waitFor(() => expect(service.log.slice(lines).join('')).toContain('the caller disconnected'), {
      timeout: 10_000,
    });
    const levels = service.log.slice(lines).map((line) => JSON.parse(line).level);
    expect(Math.max(...levels)).toBeLessThan(50);
    expect(await service.service.database.thread.count()).toBe(before);
  });
});
