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
  const { thread, message, response } = service.service.database;
  const counts = await Promise.all([thread.count(), message.count({ where: { role: 'user' } }), response.count()]);
  return counts.reduce((sum, count) => sum + count);
}

function pointersOf({ errors }: ProblemBody): string[] {
  return [...new Set((errors ?? []).flatMap(({ pointer }) => pointer ?? []))];
}

describe('POST /threads › 400', () => {
  it.for<[string, string, unknown]>([
    ['no text', '/text', {}],
    ['null as text', '/text', { text: null }],
    ['a number as text', '/text', { text: 5 }],
    ['a boolean as text', '/text', { text: true }],
    ['a list as text', '/text', { text: ['Hi'] }],
    ['an object as text', '/text', { text: { text: 'Hi' } }],
    ['an empty text', '/text', { text: '' }],
    ['a text of white space', '/text', { text: ' \t\r\n\u00a0\u3000' }],
    ['a text of 100,001 characters', '/text', { text: 'x'.repeat(100_001) }],
    ['a text with U+0000', '/text', { text: 'a\u0000b' }],
    ['a number as name', '/name', { text: 'Hi', name: 5 }],
    ['a list as name', '/name', { text: 'Hi', name: [] }],
    ['a name of 256 characters', '/name', { text: 'Hi', name: 'x'.repeat(256) }],
    ['a name with U+0000', '/name', { text: 'Hi', name: '\u0000' }],
    ['a word as is_private', '/is_private', { text: 'Hi', is_private: 'true' }],
    ['a number as is_private', '/is_private', { text: 'Hi', is_private: 1 }],
    ['null as is_private', '/is_private', { text: 'Hi', is_private: null }],
    ['a list as body', '', [{ text: 'Hi' }]],
    ['a string as body', '', 'Hi'],
    ['null as body', '', null],
  ] as const)('refuses %s', async ([_title, pointer, body], { service, ada }) => {
    const { status, body: problem, stored } = await post(service, ada, body);
    expect({ status, code: problem.code, pointers: pointersOf(problem), stored }).toEqual({
      status: 400,
      code: 'invalid_request',
      pointers: [pointer],
      stored: 0,
    });
  });

  it('names everything that is wrong at once', async ({ service, ada }) => {
    const { body } = await post(service, ada, { name: 5, is_private: 'no' });
    expect(pointersOf(body).sort()).toEqual(['/is_private', '/name', '/text']);
    expect(body.errors?.every(({ message }) => message.length > 0)).toBe(true);
  });
});
