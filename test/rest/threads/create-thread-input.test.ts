import { describe, expect } from 'vitest';
import type { CreatedBody, ProblemBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';

const json = { 'content-type': 'application/json' };
type Headers = Record<string, string>;

/** Posts the body as it is, and counts the rows that this stored. */
async function post(service: TestService, ada: Person, body: RequestInit['body'], headers: Headers = json) {
  const before = await countRows(service);
  const init = { method: 'POST', headers, body: body ?? null, duplex: 'half' };
  const reply = await ada.rest.request<ProblemBody>('/threads', init);
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
    const { status, body: problem, stored } = await post(service, ada, JSON.stringify(body));
    expect({ status, code: problem.code, pointers: pointersOf(problem), stored }).toEqual({
      status: 400,
      code: 'invalid_request',
      pointers: [pointer],
      stored: 0,
    });
  });

  it('names everything that is wrong at once', async ({ service, ada }) => {
    const { body } = await post(service, ada, JSON.stringify({ name: 5, is_private: 'no' }));
    expect(pointersOf(body).sort()).toEqual(['/is_private', '/name', '/text']);
    expect(body.errors?.every(({ message }) => message.length > 0)).toBe(true);
  });

  it.for<[string, RequestInit['body']]>([
    ['nothing', null],
    ['an empty body', ''],
    ['half an object', '{"text":"Hi"'],
    ['a trailing comma', '{"text":"Hi",}'],
    ['two values', '{"text":"Hi"}{"text":"Hi"}'],
    ['JavaScript', "{text:'Hi'}"],
    ['NaN', '{"text":"Hi","is_private":NaN}'],
    ['a raw line break in a string', '{"text":"a\nb"}'],
    ['bytes that are not UTF-8', Buffer.from([...Buffer.from('{"text":"'), 0xff, 0xfe, ...Buffer.from('"}')])],
    ['an encoded surrogate', Buffer.from([...Buffer.from('{"text":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
    ['UTF-16', Buffer.from('{"text":"Hi"}', 'utf16le')],
    ['an escaped surrogate without its other half', '{"text":"\\ud800"}'],
    ['such an escape in the name', '{"text":"Hi","name":"\\udc00"}'],
    ['an escaped U+0000', '{"text":"\\u0000"}'],
    ['33 levels', `{"text":"Hi","more":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['100,000 levels', `{"text":"Hi","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ] as const)('refuses %s', async ([_title, body], { service, ada }) => {
    const reply = await post(service, ada, body);
    expect({ status: reply.status, code: reply.body.code, stored: reply.stored }).toEqual({
      status: 400,
      code: 'invalid_request',
      stored: 0,
    });
  });

  it('names an unknown field with strict handling', async ({ service, ada }) => {
    const headers = { ...json, prefer: 'respond-async, handling=strict' };
    const { status, body, stored } = await post(service, ada, '{"text":"Hi","colour":"red"}', headers);
    expect({ status, pointers: pointersOf(body), stored }).toEqual({ status: 400, pointers: ['/colour'], stored: 0 });
    expect((await post(service, ada, '{"text":"Hi","name":null,"is_private":false}', headers)).status).toBe(201);
  });
});

describe('POST /threads › 201 › form of the body', () => {
  it.for<[string, RequestInit['body'], Headers]>([
    ['a byte order mark', '\ufeff{"text":"Hi"}', json],
    ['32 levels', `{"text":"Hi","more":${'['.repeat(31)}${']'.repeat(31)}}`, json],
    ['brackets inside of strings', JSON.stringify({ text: '[{'.repeat(500) }), json],
    ['exactly 1 MiB', `{"text":"Hi"}${' '.repeat(1024 * 1024 - 13)}`, json],
    ['a named charset', '{"text":"Hi"}', { 'content-type': 'application/json; charset=utf-8' }],
    ['a quoted charset in upper case', '{"text":"Hi"}', { 'content-type': 'Application/JSON;charset="UTF-8"' }],
  ] as const)('accepts %s', async ([_title, body, headers], { service, ada }) => {
    expect((await post(service, ada, body, headers)).status).toBe(201);
  });
});

describe('POST /threads › 413', () => {
  const megabytes4 = Buffer.alloc(4 * 1024 * 1024, 'x');

  it.for<[string, () => RequestInit['body']]>([
    ['1 MiB and a byte', () => `{"text":"Hi"}${' '.repeat(1024 * 1024 - 12)}`],
    ['4 MiB', () => megabytes4],
    ['4 MiB of unknown length', () => new Blob([megabytes4]).stream()],
  ] as const)('refuses %s, and serves the next request', async ([_title, body], { service, ada }) => {
    const { status, body: problem, stored } = await post(service, ada, body());
    expect({ status, code: problem.code, stored }).toEqual({ status: 413, code: 'payload_too_large', stored: 0 });
    expect((await ada.rest.post<CreatedBody>('/threads', { text: 'Hi' })).status).toBe(201);
  });
});

describe('POST /threads › 415', () => {
  it.for([
    [undefined],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['application/json; charset=iso-8859-1'],
    ['application/json; charset=utf-16'],
  ] as const)('refuses the content type %s', async ([contentType], { service, ada }) => {
    const bytes = Buffer.from('{"text":"Hi"}');
    const { status, body, stored } = await post(
      service,
      ada,
      bytes,
      contentType ? { 'content-type': contentType } : {},
    );
    expect({ status, code: body.code, stored }).toEqual({ status: 415, code: 'unsupported_media_type', stored: 0 });
  });
});
