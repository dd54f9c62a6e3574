/** What `/auth` refuses always has a code, whoever it is that refuses it. */
import { expect } from 'vitest';
import { serviceTest } from '../support/fixtures/service.js';
import { browserOf } from './browser.js';

const it = serviceTest({ settings: { concurrency: 0 } });

it('a body whose values have the wrong type is refused with a problem', async ({ service }) => {
  const body = { email: 'ada@acme.test', password: 'x', callbackURL: [1] };
  const answer = await browserOf(service).post('/auth/sign-in/email', body);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', detail: expect.any(String) } });
});
