import { describe, expect } from 'vitest';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { RawClient, type RawReply, type RawRequest } from './raw-http.js';

const megabyte = 1024 * 1024;

interface Place {
  type?: string | null;
  path?: string;
}

/** Posts a new thread, or to another place, over a connection of its own. */
async function post(
  { url }: TestService,
  { token }: Person,
  body: RawRequest['body'],
  { type = 'application/json', path = '/api/v1/threads' }: Place = {},
): Promise<RawReply> {
  const client = new RawClient(url);
  const headers = { authorization: `Bearer ${token}`, ...(type === null ? {} : { 'content-type': type }) };
  const reply = await client.send({ method: 'POST', path, headers, ...(body ? { body } : {}) });
  client.close();
  return reply;
}

const postGraphql = (service: TestService, ada: Person, type: string | null) =>
  post(service, ada, '{"query":"{me{sub}}"}', { type, path: '/graphql' });

async function expectRefused(service: TestService, outcome: [status: number, code: string], reply: Promise<RawReply>) {
  const before = await service.database.thread.count();
  const refused = await reply;
  expect([refused.status, JSON.parse(refused.body).code]).toEqual(outcome);
  expect(await service.database.thread.count()).toBe(before);
  return refused;
}

describe('a body', () => {
  it.for([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'Application/JSON',
    'application/json; profile="https://a.test/x;y"',
    'application/json;profile=x;charset=utf-8',
    'application/json;',
  ])('is taken as %s, by GraphQL too', async (type, { service, ada }) => {
    expect((await post(service, ada, '{"text":"Hi"}', { type })).status).toBe(201);
    expect((await postGraphql(service, ada, type)).status).toBe(200);
  });

  it.for([
    ...[null, '', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
    ...['application/json; charset=utf-16', 'application/json; charset=iso-8859-1', 'application/jsonp'],
    ...['application/problem+json', 'text/json', 'application/json, text/plain', 'application/graphql'],
    ...['application/json; profile=x; charset=latin1', 'application/jsonp; profile=x'],
    'text/plain; profile="application/json"',
  ])('is refused with 415 as %s, by GraphQL too', async (type, { service, ada }) => {
    await expectRefused(service, [415, 'unsupported_media_type'], post(service, ada, '{"text":"Hi"}', { type }));
    expect((await postGraphql(service, ada, type)).status).toBe(415);
  });

  it.for([
    ['nothing', ''],
    ['half of it', '{"text":"Hi"'],
    ['more than one', '{"text":"Hi"}{"text":"Hi"}'],
    ['a comma at the end', '{"text":"Hi",}'],
    ['quotes of another language', "{'text':'Hi'}"],
    ['a raw line break in a text', '{"text":"a\nb"}'],
    ['a number that is none', '{"text":"Hi","is_private":NaN}'],
    ['no UTF-8', Buffer.from([...Buffer.from('{"text":"'), 0xff, 0xfe, ...Buffer.from('"}')])],
    ['UTF-8 that is cut off', Buffer.from([...Buffer.from('{"text":"'), 0xe2, 0x82, ...Buffer.from('"}')])],
    ['UTF-8 of a surrogate', Buffer.from([...Buffer.from('{"text":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
    ['UTF-16', Buffer.from('{"text":"Hi"}', 'utf16le')],
  ] as const)('is refused with 400 where it is %s', async ([_name, body], { service, ada }) => {
    const { body: problem } = await expectRefused(service, [400, 'invalid_request'], post(service, ada, body));
    expect(JSON.parse(problem).errors[0].pointer).toBe('');
  });

  it('may begin with a byte order mark, and come in pieces that cut characters', async ({ service, ada }) => {
    expect((await post(service, ada, '\ufeff{"text":"Hi"}')).status).toBe(201);
    const bytes = Buffer.from('{"text":"💬"}');
    expect((await post(service, ada, [bytes.subarray(0, 11), bytes.subarray(11)])).status).toBe(201);
  });

  it('may be nested 32 levels deep, not deeper, whatever its texts hold', async ({ service, ada }) => {
    const nested = (levels: number) => `{"text":"[[[{{{\\"","more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect((await post(service, ada, nested(32))).status).toBe(201);
    await expectRefused(service, [400, 'invalid_request'], post(service, ada, nested(33)));
    await expectRefused(service, [400, 'invalid_request'], post(service, ada, nested(500_000)));
  });

  it('may be one mebibyte long, with or without a length', async ({ service, ada }) => {
    const body = '{"text":"Hi"}'.padEnd(megabyte, ' ');
    expect((await post(service, ada, body)).status).toBe(201);
    expect((await post(service, ada, [body])).status).toBe(201);
  });

  it.for([
    ['one byte more', megabyte + 1],
    ['much more', 20 * megabyte],
  ] as const)(
    'is refused with 413 where it has %s, with or without a length',
    async ([_name, size], { service, ada }) => {
      const body = '{"text":"Hi"}'.padEnd(size, ' ');
      for (const sent of [body, [body]]) {
        const { headers } = await expectRefused(service, [413, 'payload_too_large'], post(service, ada, sent));
        expect(headers.connection).toBe('close');
      }
    },
  );

  it('is not read if the endpoint has no body', async ({ ada }) => {
    const { status } = await ada.rest.fetch('/me', { method: 'GET', headers: { 'content-type': 'text/plain' } });
    expect(status).toBe(200);
  });
});

describe('an unknown parameter or field', () => {
  it('is ignored in a query and in a body, even with a dangerous name', async ({ service, ada }) => {
    for (const query of ['colour=red', 'OWNED=x', 'limit[]=x', '__proto__=1', '=1', '%ff=1', '%=1', '&&&']) {
      expect([query, (await ada.rest.get(`/threads?${query}`)).status]).toEqual([query, 200]);
    }
    const body = '{"text":"Hi","colour":{"a":1},"__proto__":{"is_private":true},"constructor":null}';
    expect((await post(service, ada, body)).status).toBe(201);
  });

  it.for(['handling=strict', 'respond-async, handling=strict', 'Handling="strict"'])(
    'is a 400 that names it with "Prefer: %s"',
    async (prefer, { ada }) => {
      const headers = { prefer };
      const query = await ada.rest.get('/threads?colour=red&limit=1&constructor=x', { headers });
      const names = query.body.errors?.map((error) => error.parameter);
      expect([query.status, names]).toEqual([400, ['colour', 'constructor']]);
      const known = 'owned=true&private=false&archived=true&q=a&sort_by=created_at&sort_dir=asc&limit=5';
      const all = `${known}&updated_since=2026-11-20T17:29:00Z`;
      expect((await ada.rest.get(`/threads?${all}`, { headers })).status).toBe(200);
      const body = await ada.rest.post('/threads', { text: 'Hi', 'a/b~c': 1 }, { headers });
      expect([body.status, body.body.errors?.map((error) => error.pointer)]).toEqual([400, ['/a~1b~0c']]);
      expect((await ada.rest.post('/threads', { text: 'Hi', name: null }, { headers })).status).toBe(201);
    },
  );

  it.for(['handling=lenient', 'handling=lenient, handling=strict', 'handling=strictly', 'wait=10; handling=strict'])(
    'is ignored with "Prefer: %s"',
    async (prefer, { ada }) => {
      expect((await ada.rest.get('/threads?colour=red', { headers: { prefer } })).status).toBe(200);
    },
  );
});
