/** A post whose statement was carried out, and whose answer was lost between PostgreSQL and the service. */
import { randomUUID } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import { readHistory } from '../../src/modules/threads/history.js';
import { isStress } from '../support/case-counts.js';
import type { RestClient } from '../support/clients/rest-client.js';
import type { CreatedBody, ProblemBody } from '../support/clients/rest-types.js';
import { serviceTest } from '../support/fixtures/service.js';
import { MachineWatch } from '../support/machine-speed.js';
import { FaultyProxy } from '../support/network/faulty-proxy.js';
import type { Person, TestService } from '../support/service.js';

const it = serviceTest()
  .extend('way', { scope: 'file' }, async ({ service }, { onCleanup }) => {
    const way = await FaultyProxy.before(service.storage.url);
    onCleanup(() => way.proxy.close());
    return way;
  })
  .extend('proxy', { scope: 'file' }, ({ way }) => way.proxy)
  /** It reaches the database over the proxy, and works nothing. */
  .extend('node', { scope: 'file' }, async ({ service, way }, { onCleanup }) => {
    const node = await service.addNode({ ROLE: 'api', DATABASE_URL: way.url });
    // Before the proxy closes.
    onCleanup(() => node.stop(0));
    return node;
  })
  .extend('rest', { scope: 'file' }, ({ service, ada, node }) => service.clientOf(node, ada.token));

/** The two posts of REST: a new thread, and a message to one that is ready. */
const posts: [string, (ada: Person) => Promise<string>][] = [
  ['POST /threads', async () => '/threads'],
  [
    'POST /threads/{thread-id}/messages',
    async (ada) => `/threads/${(await ada.rest.readyThread({ text: 'Hi' })).threadId}/messages`,
  ],
];

interface Attempt {
  status: number;
  headers: Headers;
  body: Partial<CreatedBody & ProblemBody>;
}

function post(rest: RestClient, path: string, text: string, key?: string): Promise<Attempt> {
  return rest.post(path, { text }, key === undefined ? {} : { headers: { 'idempotency-key': key } });
}

/** The ids of the messages that say this. */
async function stored(service: TestService, text: string): Promise<string[]> {
  const rows = await service.database.message.findMany({
    where: { contents: { equals: [{ type: 'text', text }] } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

describe.each(posts)('%s › with an unknown outcome', (_name, pathOf) => {
  it('is 503 with Retry-After without a key, although it was stored: its sender must check', async ({
    service,
    ada,
    proxy,
    rest,
  }) => {
    const [path, text] = [await pathOf(ada), `lost ${randomUUID()}`];
    proxy.lose({ about: text });
    const { status, headers, body } = await post(rest, path, text);
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'service_unavailable']);
    expect(body.detail).toContain('check whether it was made');
    expect(await stored(service, text)).toHaveLength(1);
  });

  it('is 503 while the database is away, and the retry with the same key gets the one message', async ({
    service,
    ada,
    proxy,
    rest,
  }) => {
    const [path, text, key] = [await pathOf(ada), `lost ${randomUUID()}`, randomUUID()];
    proxy.lose({ about: text, isClosed: true });
    const first = await post(rest, path, text, key);
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await post(rest, path, text, key)).status).toBe(503);
    proxy.restore();
    const again = await post(rest, path, text, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(await stored(service, text)).toEqual([again.body.message_id]);
  });

  it('is 201 at once with a key if the database can report the outcome', async ({ service, ada, proxy, rest }) => {
    const [path, text, key] = [await pathOf(ada), `lost ${randomUUID()}`, randomUUID()];
    proxy.lose({ about: text });
    const first = await post(rest, path, text, key);
    expect(first.status).toBe(201);
    expect(await stored(service, text)).toEqual([first.body.message_id]);
  });
});

describe('an answer that is lost silently', () => {
  it(`is 503${isStress ? ' within seconds' : ''}, and holds no connection`, async ({ service, proxy, rest }) => {
    const text = `lost ${randomUUID()}`;
    proxy.lose({ about: text, isSilent: true });
    using watch = isStress ? new MachineWatch() : undefined;
    const askedMs = performance.now();
    const { status, headers } = await post(rest, '/threads', text);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    if (watch) expect(performance.now() - askedMs).toBeLessThan(watch.slowdown * 9_000);
    expect(await stored(service, text)).toHaveLength(1);
    expect((await rest.get('/me')).status).toBe(200);
  });
});

/** Whether its response is as the statement that stored the message left it, and belongs to a worker. */
async function isClaimedAtOnce({ service }: TestService, messageId: string): Promise<boolean | undefined> {
  const [row] = await service.database.$queryRaw<{ isClaimed: boolean }[]>`
    SELECT r.xmin = m.xmin AND r.status = 'running' AS "isClaimed"
    FROM response r JOIN message m ON m.id = r.message_id WHERE r.message_id = ${messageId}`;
  return row?.isClaimed;
}

describe('POST /threads › whose statement has claimed the response, with an unknown outcome', () => {
  it('is answered once all the same, by whoever reclaims the response, and its slot is free at once', async ({
    service,
    database,
    ada,
    way,
  }) => {
    const environment = { DATABASE_URL: way.url, RESPONSES_PER_PROCESS: '1' };
    // Only the other worker reclaims, and not before the lease is ended below.
    const lease = { leaseMs: 3_600_000, heartbeatMs: 500, pollMs: 1000, maxAttempts: 3, deadlineMs: 7_200_000 };
    const node = await service.addNode(environment, { lease });
    // A message that meets a poll of the worker, or others that wait, is queued: then the next one is looked at.
    const lost = await vi.waitFor(
      async () => {
        const text = `lost ${randomUUID()}`;
        way.proxy.lose({ about: text });
        expect((await post(service.clientOf(node, ada.token), '/threads', text)).status).toBe(503);
        const [messageId = expect.fail('it was not stored')] = await stored(service, text);
        expect(await isClaimedAtOnce(service, messageId)).toBe(true);
        return database.response.findUniqueOrThrow({ where: { messageId } });
      },
      { timeout: 30_000 },
    );
    // Of somebody whose share nothing counts towards.
    const stranger = await service.person({ org: 'elsewhere' });
    await vi.waitFor(
      async () => {
        const { body } = await post(service.clientOf(node, stranger.token), '/threads', 'next');
        const next = await database.response.findUniqueOrThrow({ where: { messageId: body.message_id ?? '' } });
        expect(next.workerId).toBe(lost.workerId);
      },
      { timeout: 30_000 },
    );
    const { threadId, messageId } = lost;
    expect(await database.response.findUniqueOrThrow({ where: { messageId } })).toEqual(lost);
    await database.response.update({ where: { messageId }, data: { leaseUntil: new Date(0) } });
    await vi.waitFor(
      async () => {
        const events = await readHistory(database, threadId);
        expect(events.map(({ what }) => what)).toEqual(['queued', 'started', 'taken_over', 'succeeded']);
      },
      { timeout: 30_000 },
    );
    expect(await database.message.count({ where: { threadId, role: 'assistant' } })).toBe(1);
    await node.stop(0);
  });
});
