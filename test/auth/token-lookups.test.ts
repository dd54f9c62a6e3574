/**
 * How often a token is looked up, and that its end is noticed, over HTTP and on several nodes. What was looked up is remembered for
 * as long as a test takes, so that it ends by a notification or not at all.
 */
import { expect, onTestFinished, vi } from 'vitest';
import { createToken, revokeToken } from '../graphql/identity/access-token-operations.js';
import { isTokenLookup, StatementLog } from '../graphql/limits/statement-log.js';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { serviceTest } from '../support/fixtures/service.js';
import { FaultyProxy } from '../support/network/faulty-proxy.js';
import { startTestService } from '../support/service.js';

const settings = { concurrency: 0, viewerCache: { lifetimeMs: 600_000 } };
const it = serviceTest({ settings });

interface Me {
  name: string | null;
}

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
  await vi.waitFor(async () => expect((await rest.get<Me>('/me')).body.name).toBe('Renamed'), { timeout: 10_000 });
});
