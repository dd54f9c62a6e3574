/** A stream that is answered to nobody: its client wants no body, or has left. No error of it may reach the process. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { holding, waitingStatements } from '../support/waiting-statements.js';

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await startTestService({ settings: { concurrency: 0 } });
  ada = await service.person();
});
afterAll(() => service.stop());

const uncaught = vi.fn();
beforeAll(() => void process.on('uncaughtExceptionMonitor', uncaught));
afterAll(() => void process.off('uncaughtExceptionMonitor', uncaught));

it('HEAD for a stream of GraphQL has a status and no body, and the service lives on', async () => {
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

it('of an operation whose client has left meanwhile, is answered to nobody, and the service lives on', async () => {
  const { database } = service.service;
  const headers = {
    authorization: `Bearer ${ada.token}`,
    accept: 'text/event-stream',
    'content-type': 'application/json',
  };
  await database.$transaction(async (other) => {
    await other.$executeRaw`LOCK TABLE thread IN ACCESS EXCLUSIVE MODE`;
    const asked = request(`${service.url}/graphql`, { method: 'POST', headers });
    const left = new Promise<void>((resolve) => asked.once('error', () => resolve()));
    asked.end(JSON.stringify({ query: '{ threads { edges { cursor } } }' }));
    await vi.waitFor(async () => expect(await waitingStatements(database)).toBe(1), { timeout: 5000 });
    asked.destroy();
    await left;
  }, holding);
  expect((await ada.rest.get('/me')).status).toBe(200);
  expect(uncaught).not.toHaveBeenCalled();
});
