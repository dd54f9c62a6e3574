/** What the fields of a new thread may be. What holds for the body of any request is in `test/rest/http/http-bodies.test.ts`. */
import { describe, expect } from 'vitest';
import type { ProblemBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';

/** Posts the body, and counts the rows that this stored. */
async function post(service: TestService, ada: Person, body: unknown) {
  const before = await countRows(service);
  const reply = await ada.rest.post<ProblemBody>('/threads', JSON.stringify(body));
  return { ...reply, stored: (await countRows(service)) - before };
}

async function countRows(service: TestService): Promise<number> {
  const { thread, message, response } = service.database;
  const counts = await Promise.all([thread.count(), message.count({ where: { role: 'user' } }), response.count()]);
  return counts.reduce((sum, count) => sum + count);
}

describe('POST /threads › 400', () => {
  it.for<[what: string, detail: string, body: unknown]>([
    ['no text', '/text: is required', {}],
    ['null as text', '/text: must be a string', { text: null }],
    ['a number as text', '/text: must be a string', { text: 5 }],
    ['a boolean as text', '/text: must be a string', { text: true }],
    ['a list as text', '/text: must be a string', { text: ['Hi'] }],
    ['an object as text', '/text: must be a string', { text: { text: 'Hi' } }],
    ['an empty text', '/text: must not be empty', { text: '' }],
    ['a text of white space', '/text: must not be empty or only white space', { text: ' \t\r\n\u00a0\u3000' }],
    ['a text of 100,001 characters', '/text: must be at most 100000 characters long', { text: 'x'.repeat(100_001) }],
    ['a text with U+0000', '/text: must not contain U+0000 or unpaired surrogates', { text: 'a\u0000b' }],
    ['a number as name', '/name: must be a string or null', { text: 'Hi', name: 5 }],
    ['a list as name', '/name: must be a string or null', { text: 'Hi', name: [] }],
    ['a name of 256 characters', '/name: must be at most 255 characters long', { text: 'Hi', name: 'x'.repeat(256) }],
    ['an unpaired surrogate', '/text: must not contain U+0000 or unpaired surrogates', { text: 'a\ud800' }],
    ['a name with U+0000', '/name: must not contain U+0000 or unpaired surrogates', { text: 'Hi', name: '\u0000' }],
    ['a word as is_private', '/is_private: must be true or false', { text: 'Hi', is_private: 'true' }],
    ['a number as is_private', '/is_private: must be true or false', { text: 'Hi', is_private: 1 }],
    ['null as is_private', '/is_private: must be true or false', { text: 'Hi', is_private: null }],
    ['two faults at once', '/text: is required; /name: must be a string or null', { name: 5 }],
    ['a list as body', 'The body must be a JSON object', [{ text: 'Hi' }]],
    ['a string as body', 'The body must be a JSON object', 'Hi'],
    ['null as body', 'The body must be a JSON object', null],
  ] as const)(
    'refuses %s, says which value is at fault and what it must be, and stores nothing',
    async ([_what, detail, body], { service, ada }) => {
      const { status, body: problem, stored } = await post(service, ada, body);
      expect({ status, code: problem.code, detail: problem.detail, stored }).toEqual({
        ...{ status: 400, code: 'invalid_request', detail, stored: 0 },
      });
      const pointers = detail.split('; ').map((part) => /^(\/\w+): /.exec(part)?.[1] ?? '');
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    },
  );
});
