import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { RawClient, type RawReply, type RawRequest } from './raw-http.js';

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await startTestService();
  ada = await service.person();
});
afterAll(() => service.stop());

const megabyte = 1024 * 1024;

/** Posts a new thread over a connection of its own. */
async function post(body: RawRequest['body'], contentType: string | null = 'application/json'): Promise<RawReply> {
  const client = new RawClient(service.url);
  const headers = {
    authorization: `Bearer ${ada.token}`,
    ...(contentType === null ? {} : { 'content-type': contentType }),
  };
  const reply = await client.send({ method: 'POST', path: '/api/v1/threads', headers, ...(body ? { body } : {}) });
  client.close();
  return reply;
}

async function expectRefused(reply: Promise<RawReply>, status: number, code: string): Promise<RawReply> {
  const before = await service.service.database.thread.count();
  const refused = await reply;
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([status, code]);
  expect(await service.service.database.thread.count()).toBe(before);
  return refused;
}

describe('a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON',
  ])('is taken as %s', async (contentType) => {
    expect((await post('{"text":"Hi"}', contentType)).status).toBe(201);
  });

  it.each([
    null,
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/jsonp',
    'application/problem+json',
    'text/json',
    'application/json, text/plain',
  ])('is refused with 415 as %s', async (contentType) => {
    await expectRefused(post('{"text":"Hi"}', contentType), 415, 'unsupported_media_type');
  });

  it.each([
    ['nothing', ''],
    ['half of it', '{"text":"Hi"'],
    ['more than one', '{"text":"Hi"}{"text":"Hi"}'],
    ['a comma at the end', '{"text":"Hi",}'],
    ['quotes of another language', "{'text':'Hi'}"],
    ['a raw line break in a text', '{"text":"a\nb"}'],
    ['UTF-8 that is cut off', Buffer.from([...Buffer.from('{"text":"'), 0xe2, 0x82, ...Buffer.from('"}')])],
    ['UTF-8 of a surrogate', Buffer.from([...Buffer.from('{"text":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
    ['UTF-16', Buffer.from('{"text":"Hi"}', 'utf16le')],
  ])('is refused with 400 where it is %s', async (_name, body) => {
    const { body: problem } = await expectRefused(post(body), 400, 'invalid_request');
    expect(JSON.parse(problem).errors[0].pointer).toBe('');
  });

  it('may begin with a byte order mark, and come in pieces that cut characters', async () => {
    expect((await post('\ufeff{"text":"Hi"}')).status).toBe(201);
    const bytes = Buffer.from('{"text":"💬"}');
    expect((await post([bytes.subarray(0, 11), bytes.subarray(11)])).status).toBe(201);
  });

  it('may hold fields that nobody knows, also dangerous names', async () => {
    expect((await post('{"text":"Hi","more":{"a":1},"__proto__":{"is_private":true},"constructor":null}')).status).toBe(
      201,
    );
  });

  it('may be nested 32 levels deep, not deeper, whatever its texts hold', async () => {
    const nested = (levels: number) => `{"text":"[[[{{{\\"","more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect((await post(nested(32))).status).toBe(201);
    await expectRefused(post(nested(33)), 400, 'invalid_request');
    await expectRefused(post(nested(500_000)), 400, 'invalid_request');
  });

  it('may be one mebibyte long, with or without a length', async () => {
    const body = '{"text":"Hi"}'.padEnd(megabyte, ' ');
    expect((await post(body)).status).toBe(201);
    expect((await post([body])).status).toBe(201);
  });

  it.each([
    ['one byte more', megabyte + 1],
    ['much more', 20 * megabyte],
  ])('is refused with 413 where it has %s, with or without a length', async (_name, size) => {
    const body = '{"text":"Hi"}'.padEnd(size, ' ');
    for (const sent of [body, [body]]) {
      const { headers } = await expectRefused(post(sent), 413, 'payload_too_large');
      expect(headers.connection).toBe('close');
    }
  });

  it('is not read where the endpoint takes none', async () => {
    const { status } = await ada.rest.fetch('/me', { method: 'GET', headers: { 'content-type': 'text/plain' } });
    expect(status).toBe(200);
  });
});

describe('what nobody knows', () => {
  it('is ignored in a query and in a body', async () => {
    expect((await ada.rest.get('/threads?colour=red&limit=1')).status).toBe(200);
    expect((await ada.rest.post('/threads', { text: 'Hi', colour: 'red' })).status).toBe(201);
  });

  it.each(['handling=strict', 'respond-async, handling=strict', 'Handling="strict"'])(
    'is a 400 that names it with "Prefer: %s"',
    async (prefer) => {
      const headers = { prefer };
      const query = await ada.rest.get('/threads?colour=red&limit=1', { headers });
      expect([query.status, query.body.errors?.map((error) => error.parameter)]).toEqual([400, ['colour']]);
      const body = await ada.rest.post('/threads', { text: 'Hi', 'a/b~c': 1 }, { headers });
      expect([body.status, body.body.errors?.map((error) => error.pointer)]).toEqual([400, ['/a~1b~0c']]);
      expect((await ada.rest.post('/threads', { text: 'Hi', name: null }, { headers })).status).toBe(201);
    },
  );

  it('is ignored with "Prefer: handling=lenient"', async () => {
    expect((await ada.rest.get('/threads?colour=red', { headers: { prefer: 'handling=lenient' } })).status).toBe(200);
  });
});
