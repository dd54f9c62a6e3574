/** A stream that is answered to nobody: its client wants no body, or has left. No error of it may reach the process. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Person, startTestService, type TestService } from '../support/service.js';

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
