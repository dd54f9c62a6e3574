/** What `/auth` refuses always has a code, whoever it is that refuses it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { browserOf } from './browser.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ settings: { concurrency: 0 } });
});
afterAll(() => service.stop());

it('a body whose values have the wrong type is refused with a problem', async () => {
  const body = { email: 'ada@acme.test', password: 'x', callbackURL: [1] };
  const answer = await browserOf(service).post('/auth/sign-in/email', body);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', detail: expect.any(String) } });
});
