/** A stream that is answered to nobody: its client wants no body, or has left. No error of it may reach the process. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { holding, waitingStatements } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { patientStatements, startTestService } from '../../support/service.js';

const options = { settings: { concurrency: 0, statementLimits: patientStatements } };
const it = serviceTest(options);
beforeAll(() => {
  void process.on('uncaughtExceptionMonitor', uncaught);
});
afterAll(() => void process.off('uncaughtExceptionMonitor', uncaught));

const uncaught = vi.fn();

it('HEAD for a stream of GraphQL has a status and no body, and the service lives on', async ({ service, ada }) => {
  const headers = {
    authorization: `Bearer ${ada.token}`,
    accept: 'text/event-stream',
    'content-type': 'application/json',
  };
  const status = await new Promise((resolve, reject) => {
    const asked = request(`${service.url}/graphql?query={me{sub}}`, { method: 'HEAD', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    asked.once('error', reject).end();
  });
  expect(status).toBe(405);
  expect((await ada.rest.get('/me')).status).toBe(200);
  expect(uncaught).not.toHaveBeenCalled();
});

const patience = { timeout: 30_000 };
const json = { 'content-type': 'application/json' };
const stream = { accept: 'text/event-stream' };
const query = JSON.stringify({ query: '{ threads { edges { cursor } } }' });
const subscription = JSON.stringify({
  query: 'subscription { threadChanged(id: "thr_01kamqz4m0fjd9h3n5b8s2c7x1") { __typename } }',
});

/** What the statement of each request contains: it is only when that one waits that the request is being answered. */
const [ofList, ofThread] = ['page.position', 't.changed_xid'];

// A service for each case: what one of them left behind may still read threads, and is not to be taken for the next.
it.for([
  ['a query', '/graphql', json, query, ofList],
  ['a query that is answered as a stream', '/graphql', { ...json, ...stream }, query, ofList],
  ['a subscription', '/graphql', { ...json, ...stream }, subscription, ofThread],
  ['a query on /graphql/stream', '/graphql/stream', { ...json, ...stream }, query, ofList],
  ['a subscription on /graphql/stream', '/graphql/stream', { ...json, ...stream }, subscription, ofThread],
  ['a request of REST', '/api/v1/threads', {}, undefined, ofList],
] as const)(
  '%s whose client has left meanwhile is answered to nobody, and is no error',
  async ([_what, path, headers, body, statement]) => {
    await using service = await startTestService(options);
    const ada = await service.person();
    const { database } = service;
    const id = randomUUID();
    const logged = () => service.log.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === id);
    await database.$transaction(async (other) => {
      await other.$executeRaw`LOCK TABLE thread IN ACCESS EXCLUSIVE MODE`;
      const asked = request(`${service.url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { ...headers, authorization: `Bearer ${ada.token}`, 'x-request-id': id },
      });
      asked.on('error', () => undefined);
      const left = new Promise<void>((resolve) => asked.once('close', resolve));
      asked.end(body);
      await vi.waitFor(async () => expect(await waitingStatements(database, statement)).toBe(1), patience);
      asked.destroy();
      await left;
      await vi.waitFor(() => expect(logged()).toMatchObject([{ msg: 'request', finished: false }]), patience);
    }, holding);
    await vi.waitFor(async () => expect(await waitingStatements(database)).toBe(0), patience);
    expect((await ada.rest.get('/me')).status).toBe(200);
    expect(logged().filter(({ level }) => level >= 40)).toEqual([]);
    expect(uncaught).not.toHaveBeenCalled();
  },
);
