/** Whom a token belongs to is looked up once a second, and what ends the token ends that at once. */
import { describe, expect, onTestFinished, vi } from 'vitest';
import { UnauthenticatedError } from '../../src/errors.js';
import type { Viewer } from '../../src/modules/identity/authenticate.js';
import { ViewerCache } from '../../src/modules/identity/viewer-cache.js';
import { createToken, revokeToken } from '../graphql/identity/access-token-operations.js';
import { isTokenLookup, StatementLog } from '../graphql/limits/statement-log.js';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { serviceTest } from '../support/fixtures/service.js';
import { FaultyProxy } from '../support/network/faulty-proxy.js';
import { startTestService } from '../support/service.js';

/** What was looked up is remembered for as long as a test takes, so that it ends by a notification or not at all. */
const settings = { concurrency: 0, viewerCache: { lifetimeMs: 600_000 } };
const it = serviceTest({ settings });

const viewer = (facts: Partial<Viewer> = {}): Viewer => ({
  userId: 'usr_1',
  userNumber: 1,
  name: null,
  email: 'ada@acme.test',
  role: 'member',
  organizationId: 1,
  organizationSlug: 'acme',
  organizationName: 'Acme',
  hasBudgets: false,
  scopes: new Set(),
  tokenId: 'tok_1',
  tokenExpiresAt: null,
  ...facts,
});

/** A cache that remembers, at a time that the test sets. */
function started(options: { maxEntries?: number } = {}) {
  const clock = { ms: 0 };
  const cache = new ViewerCache({ now: () => clock.ms, ...options });
  cache.start();
  return { cache, clock };
}

describe('the viewer of a token', () => {
  it('is remembered for a second from the beginning of the lookup, and not longer by being used', async () => {
    const { cache, clock } = started();
    await cache.lookUp('digest', async () => {
      clock.ms = 400;
      return viewer();
    });
    clock.ms = 999;
    expect(cache.recall('digest')).toEqual(viewer());
    clock.ms = 1000;
    expect(cache.recall('digest')).toBeUndefined();
  });

  it('is forgotten when the token expires', async () => {
    const { cache } = started();
    await cache.lookUp('digest', async () => viewer({ tokenExpiresAt: new Date(Date.now() - 1) }));
    expect(cache.recall('digest')).toBeUndefined();
  });

  it.each(['tok_1', 'usr_1', 'usr_1 usr_1'])('is forgotten when a notification names %s', async (payload) => {
    const { cache } = started();
    await cache.lookUp('digest', async () => viewer());
    await cache.lookUp('other', async () => viewer({ tokenId: 'tok_2', userId: 'usr_2' }));
    cache.receive(payload);
    expect(cache.recall('digest')).toBeUndefined();
    expect(cache.recall('other')).toBeDefined();
  });

  it('is not remembered if a notification came during the lookup, which may have read what was before', async () => {
    const { cache } = started();
    await cache.lookUp('digest', async () => {
      cache.receive('tok_1');
      return viewer();
    });
    expect(cache.recall('digest')).toBeUndefined();
  });

  it('is not remembered while notifications may be lost, nor what was looked up before that', async () => {
    const { cache } = started();
    await cache.lookUp('digest', async () => viewer());
    cache.stop();
    expect(cache.recall('digest')).toBeUndefined();
    await cache.lookUp('digest', async () => {
      cache.start();
      return viewer();
    });
    expect(cache.recall('digest')).toBeUndefined();
  });

  it('is looked up once for all requests that ask at the same time', async () => {
    const { cache } = started();
    const find = vi.fn(async () => viewer());
    await Promise.all([cache.lookUp('digest', find), cache.lookUp('digest', find)]);
    expect(find).toHaveBeenCalledOnce();
  });

  it('is looked up again by who asks after a notification', async () => {
    const { cache } = started();
    const find = vi.fn(async () => viewer());
    const before = cache.lookUp('digest', find);
    cache.receive('tok_1');
    await Promise.all([before, cache.lookUp('digest', find)]);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('is looked up again after a refusal', async () => {
    const { cache } = started();
    const refuse = () => Promise.reject(new UnauthenticatedError('invalid'));
    await expect(cache.lookUp('digest', refuse)).rejects.toThrow(UnauthenticatedError);
    expect(cache.recall('digest')).toBeUndefined();
    await expect(cache.lookUp('digest', async () => viewer())).resolves.toEqual(viewer());
  });

  it('makes room for others: no more are remembered than the maximum', async () => {
    const { cache } = started({ maxEntries: 2 });
    for (const digest of ['a', 'b', 'c']) await cache.lookUp(digest, async () => viewer());
    expect(['a', 'b', 'c'].map((digest) => cache.recall(digest) !== undefined)).toEqual([false, true, true]);
  });
});

describe('the lookup of a token, over HTTP and on several nodes', () => {
  it('is one statement for many requests of a token', async ({ service }) => {
    const { rest } = await service.person();
    const log = new StatementLog();
    onTestFinished(() => log.end());
    await Promise.all(Array.from({ length: 50 }, () => rest.get('/me')));
    expect(log.sent().filter(isTokenLookup)).toHaveLength(1);
  });

  it('is one statement for each request while the listening connection is lost', async () => {
    const plain = await startTestService({ settings });
    onTestFinished(() => plain.stop());
    const person = await plain.person();
    const { proxy, url } = await FaultyProxy.before(plain.storage.url);
    const node = await plain.addNode({ DIRECT_DATABASE_URL: url });
    const rest = plain.clientOf(node, person.token);
    await rest.get('/me');
    await proxy.close();
    await vi.waitFor(() => expect(plain.log.join('\n')).toContain('the notification connection was lost'), 10_000);
    const log = new StatementLog();
    onTestFinished(() => log.end());
    for (let n = 0; n < 3; n += 1) expect((await rest.get('/me')).status).toBe(200);
    expect(log.sent().filter(isTokenLookup)).toHaveLength(3);
  });

  it('ends on each node where it was in use, when it is revoked on another node', async ({ service }) => {
    const { token } = await service.person();
    const client = new GraphQLClient({ origin: service.url, token });
    const { secret, accessToken } = await createToken(client, { name: 'Script', scopes: ['ME_READ'] });
    const rest = service.clientOf(await service.addNode(), secret);
    expect((await rest.get('/me')).status).toBe(200);
    await revokeToken(new GraphQLClient({ origin: service.url, token: secret }), accessToken.id);
    await vi.waitFor(async () => expect((await rest.get('/me')).status).toBe(401), { timeout: 10_000 });
  });

  it('is looked up again when its user has changed', async ({ service }) => {
    const { id, token } = await service.person();
    const rest = service.clientOf(await service.addNode(), token);
    await rest.get('/me');
    await service.database.user.update({ where: { id }, data: { name: 'Renamed' } });
    await vi.waitFor(async () => expect((await rest.get<{ name: string | null }>('/me')).body.name).toBe('Renamed'), {
      timeout: 10_000,
    });
  });
});
