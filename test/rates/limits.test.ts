/** How often a caller may ask and send on one node, and how every answer says so. */
import { describe, expect } from 'vitest';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import type { ProblemBody } from '../support/clients/rest-types.js';
import { serviceTest } from '../support/fixtures/service.js';
import type { Person, TestService } from '../support/service.js';

const limits = {
  REQUESTS_PER_TOKEN: '20',
  REQUESTS_PER_ADDRESS: '6',
  MESSAGES_PER_USER: '3',
  MESSAGES_PER_ORGANIZATION: '5',
};

const it = serviceTest({ settings: { concurrency: 0 }, environment: limits });

let organizations = 0;

/** Somebody with whom nobody shares a limit. */
function newcomer(service: TestService): Promise<Person> {
  organizations += 1;
  return service.person({ org: `organization-${organizations}` });
}

const quota = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/** The answer to a request from an address, behind a proxy of this machine. */
function from(
  service: TestService,
  address: string,
  path = '/api/v1/me',
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${service.url}${path}`, { headers: { 'x-forwarded-for': address, ...headers } });
}

async function statuses(count: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = [];
  for (let sent = 0; sent < count; sent += 1) seen.push((await ask()).status);
  return seen;
}

describe('the limit of a token', () => {
  it('is in the headers of every answer, and counts down', async ({ service }) => {
    const { rest } = await newcomer(service);
    const [first, second] = [await rest.get('/me'), await rest.get('/threads/thr_unknown')];
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=20;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"requests";r=19;t=([1-5]?\d|60)$/);
    expect(second.status).toBe(404);
    expect(second.headers.get('ratelimit')).toMatch(/^"requests";r=18;t=/);
  });

  it('is shared by REST, GraphQL, its streams and attachments; each refuses in its form', async ({ service }) => {
    const { rest, token } = await newcomer(service);
    const graphql = new GraphQLClient({ origin: service.url, token });
    const authorization = `Bearer ${token}`;
    const attachment = () => fetch(`${service.url}/attachments/att_x`, { headers: { authorization } });
    const reserve = () => fetch(`${service.url}/graphql/stream`, { method: 'PUT', headers: { authorization } });
    expect(await statuses(5, () => rest.get('/me'))).toEqual(Array(5).fill(200));
    expect(await statuses(5, () => graphql.run('{ me { sub } }'))).toEqual(Array(5).fill(200));
    expect(await statuses(5, attachment)).toEqual(Array(5).fill(404));
    expect(await statuses(5, reserve)).toEqual(Array(5).fill(201));
    const refused = await rest.get<ProblemBody & { 'violated-policies': string[] }>('/me');
    expect(refused).toMatchObject({
      status: 429,
      body: { type: quota, status: 429, code: 'rate_limited', 'violated-policies': ['requests'] },
    });
    const waitSeconds = Number(/;t=(\d+)/.exec(refused.headers.get('ratelimit') ?? '')?.[1]);
    expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(waitSeconds);
    for (const response of [await reserve(), await graphql.post('{"query":"{ me { sub } }"}')]) {
      expect([response.status, response.headers.has('retry-after')]).toEqual([429, true]);
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'RATE_LIMITED', limit: 'requests', maximum: 20 } }],
      });
    }
    const download = await attachment();
    expect([download.status, download.headers.get('content-type')]).toEqual([429, 'application/problem+json']);
  });

  it('applies to each token, not to its user', async ({ service }) => {
    const { id, rest } = await newcomer(service);
    expect((await statuses(21, () => rest.get('/me'))).at(-1)).toBe(429);
    const other = service.client(await service.token(id, ['me:read']));
    expect((await other.get('/me')).status).toBe(200);
  });
});

describe('the limit of an address', () => {
  it('counts requests without a living token, wherever they go', async ({ service }) => {
    const bad = { authorization: 'Bearer skn_pat_x' };
    const paths = [
      '/api/v1/me',
      '/graphql',
      '/attachments/att_x',
      '/api/v1-alpha0/threads',
      '/graphql/stream',
      '/graphql',
    ];
    const ask = async (path: string) =>
      (await from(service, '198.51.100.1', path, { ...bad, accept: 'text/event-stream' })).status;
    for (const path of paths) expect([path, await ask(path)]).toEqual([path, 401]);
    const refused = await from(service, '198.51.100.1', '/api/v1/me');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit-policy')).toBe('"unauthenticated";q=6;w=60');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', 'violated-policies': ['unauthenticated'] });
    expect((await from(service, '198.51.100.2')).status).toBe(401);
  });

  it('refuses nobody with a living token', async ({ service }) => {
    const { token } = await newcomer(service);
    expect((await statuses(7, () => from(service, '198.51.100.3'))).at(-1)).toBe(429);
    expect((await from(service, '198.51.100.3', '/api/v1/me', { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('applies to a whole /64 network with IPv6', async ({ service }) => {
    let host = 0;
    const ask = () => {
      host += 1;
      return from(service, `2001:db8:1:2::${host.toString(16)}`);
    };
    expect(await statuses(7, ask)).toEqual([...Array(6).fill(401), 429]);
    expect((await from(service, '2001:db8:1:2:ffff:1:2:3')).status).toBe(429);
    expect((await from(service, '2001:db8:1:3::1')).status).toBe(401);
  });
});

describe('the limit of messages', () => {
  const create = '/threads';

  it('counts those of a user, over REST and GraphQL', async ({ service }) => {
    const { rest, token } = await newcomer(service);
    const graphql = new GraphQLClient({ origin: service.url, token });
    const mutation = 'mutation { createThread(input: {text: "Hi"}) { __typename } }';
    const first = await rest.post(create, { text: 'Hi' });
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"requests";q=20;w=60, "messages";q=3;w=60, "organization-messages";q=5;w=60',
    );
    expect(first.headers.get('ratelimit')).toMatch(
      /^"requests";r=19;t=\d+, "messages";r=2;t=\d+, "organization-messages";r=4;t=\d+$/,
    );
    expect((await graphql.run(mutation)).body).toEqual({ data: { createThread: { __typename: 'PostedMessage' } } });
    expect((await rest.post(create, { text: 'Hi' })).status).toBe(201);
    const refused = await rest.post<ProblemBody>(create, { text: 'Hi' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', 'violated-policies': ['messages'] } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const { status, headers, body } = await graphql.run(mutation);
    expect([status, headers.has('retry-after')]).toEqual([429, true]);
    expect(body.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED', limit: 'messages', maximum: 3 } }]);
  });

  it('counts those of an organization together', async ({ service }) => {
    const ada = await newcomer(service);
    const ben = await service.person({ org: `organization-${organizations}` });
    expect(await statuses(3, () => ada.rest.post(create, { text: 'Hi' }))).toEqual([201, 201, 201]);
    expect(await statuses(3, () => ben.rest.post(create, { text: 'Hi' }))).toEqual([201, 201, 429]);
    const refused = await ben.rest.post<ProblemBody>(create, { text: 'Hi' });
    expect(refused.body).toMatchObject({ 'violated-policies': ['organization-messages'] });
  });

  it('neither refuses nor counts a retry of what was done', async ({ service }) => {
    const { rest } = await newcomer(service);
    const keyed = { headers: { 'idempotency-key': 'once' } };
    const first = await rest.post(create, { text: 'Hi' }, keyed);
    expect(await statuses(4, () => rest.post(create, { text: 'Hi' }, keyed))).toEqual([201, 201, 201, 201]);
    expect(await statuses(3, () => rest.post(create, { text: 'Hi' }))).toEqual([201, 201, 429]);
    const retry = await rest.post(create, { text: 'Hi' }, keyed);
    expect([retry.status, retry.headers.get('idempotency-replayed'), retry.body]).toEqual([201, 'true', first.body]);
  });

  it('does not count what was refused', async ({ service }) => {
    const { rest } = await newcomer(service);
    const send = () => rest.post('/threads/thr_unknown/messages', { text: 'Hi' });
    expect(await statuses(5, send)).toEqual([404, 404, 404, 404, 404]);
    expect((await rest.post(create, { text: 'Hi' })).status).toBe(201);
  });
});

it('a page of another site may read the headers', async ({ service }) => {
  const { rest } = await newcomer(service);
  const { headers } = await rest.get('/me');
  expect(headers.get('access-control-expose-headers')).toMatch(/Retry-After, RateLimit, RateLimit-Policy/);
});
