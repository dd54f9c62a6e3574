import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../../src/ids.js';
import type { MessageBody, PageBody } from '../../support/rest-types.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { numbered, storeMessages } from './stored-messages.js';

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await startTestService();
  ada = await service.person();
});
afterAll(() => service.stop());

type Page = PageBody<MessageBody>;

/** A thread with two messages of its own and `count` more, and the ids of all. */
async function longThread(count: number): Promise<{ path: string; ids: string[]; threadId: string }> {
  const { threadId, messageId } = await ada.rest.createThread({ text: 'Hi' });
  const [answer] = await ada.rest.answer({ threadId, messageId });
  const more = await storeMessages(service, threadId, numbered(count));
  return { threadId, path: `/threads/${threadId}/messages`, ids: [messageId, String(answer?.id), ...more] };
}

async function page(path: string): Promise<Page> {
  const { status, body } = await ada.rest.get<Page>(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

describe('GET /threads/{thread-id}/messages › pages', () => {
  it.each([1, 2, 3, 4, 7, 8])('walks through seven messages by pages of %i, each exactly once', async (limit) => {
    const { path, ids } = await longThread(5);
    const seen: string[] = [];
    let after = '';
    for (;;) {
      const { data, ...envelope } = await page(`${path}?limit=${limit}${after}`);
      seen.push(...data.map((message) => message.id));
      expect(envelope).toEqual({
        first_id: data[0]?.id,
        last_id: data.at(-1)?.id,
        has_more: seen.length < 7,
        limit,
      });
      if (!envelope.has_more) break;
      after = `&after=${envelope.last_id}`;
    }
    expect(seen).toEqual(ids);
  });

  it('gives fifty without a limit, and at most two hundred', async () => {
    const { path, ids } = await longThread(199);
    const sizes = async (query: string) => {
      const { data, limit, has_more } = await page(`${path}${query}`);
      return [data.length, limit, has_more];
    };
    expect(await sizes('')).toEqual([50, 50, true]);
    expect(await sizes('?limit=50')).toEqual([50, 50, true]);
    for (const limit of [200, 201, 1000, 999_999_999]) {
      expect(await sizes(`?limit=${limit}`), `limit ${limit}`).toEqual([200, 200, true]);
    }
    expect((await page(`${path}?limit=500&after=${ids[199]}`)).data.map((message) => message.id)).toEqual([ids[200]]);
  });

  it('gives an empty page after the last message', async () => {
    const { path, ids } = await longThread(0);
    expect(await page(`${path}?after=${ids.at(-1)}`)).toEqual({
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
      limit: 50,
    });
  });

  it('goes on behind the last page when messages are added, with the same cursor', async () => {
    const { threadId, path, ids } = await longThread(1);
    const cursor = `${path}?after=${ids.at(-1)}`;
    expect((await page(cursor)).data).toEqual([]);
    const added = await storeMessages(service, threadId, numbered(2));
    expect((await page(cursor)).data.map((message) => message.id)).toEqual(added);
  });

  it('keeps its place when the cursor and its neighbours are replaced by a summary meanwhile', async () => {
    const { threadId, path, ids } = await longThread(4);
    const first = await page(`${path}?limit=3`);
    const { database } = service.service;
    await database.message.updateMany({ where: { threadId, id: { in: ids.slice(0, 4) } }, data: { active: false } });
    const { data } = await page(`${path}?limit=3&after=${first.last_id}`);
    expect(data.map((message) => message.id)).toEqual(ids.slice(4));
  });

  it('never serves an inactive message on a later page', async () => {
    const { threadId, path, ids } = await longThread(0);
    const [, , last] = await storeMessages(service, threadId, [{}, { active: false }, {}]);
    const { data, has_more } = await page(`${path}?limit=2&after=${ids[1]}`);
    expect([data.length, data.at(-1)?.id, has_more]).toEqual([2, last, false]);
  });
});

describe('GET /threads/{thread-id}/messages › 400', () => {
  const limits = ['0', '-1', '1.5', '1e2', '0x10', 'ten', '', ' 5', '%2B5', 'Infinity', 'null'];
  it.each(limits)('refuses the limit "%s" and names it', async (limit) => {
    const { path } = await longThread(0);
    const { status, body } = await ada.rest.get(`${path}?limit=${limit}`);
    expect([status, body.code, body.errors?.[0]?.parameter]).toEqual([400, 'invalid_request', 'limit']);
  });

  it.each(['limit=1&limit=2', 'after=a&after=b'])('refuses the repeated parameter in %s', async (query) => {
    const { path } = await longThread(0);
    const { status, body } = await ada.rest.get(`${path}?${query}`);
    expect([status, body.errors]).toEqual([
      400,
      [{ parameter: query.slice(0, query.indexOf('=')), message: 'must be given once' }],
    ]);
  });

  it('refuses as a cursor every id that is no message of this thread, with the same words', async () => {
    const { path, threadId } = await longThread(0);
    const elsewhere = await ada.rest.createThread({ text: 'Another thread' });
    const foreign = await (await service.person({ org: 'other' })).rest.createThread({ text: 'Theirs' });
    const details = new Set<string>();
    for (const after of [createId('msg'), elsewhere.messageId, foreign.messageId, threadId, 'nonsense', '']) {
      const { status, body } = await ada.rest.get(`${path}?after=${after}`);
      expect([after, status, body.code]).toEqual([after, 400, 'invalid_cursor']);
      expect(body.errors).toEqual([{ parameter: 'after', message: expect.any(String) }]);
      details.add(body.detail);
    }
    expect(details.size).toBe(1);
  });

  it.each(['%00', 'a%00b', 'x'.repeat(501)])('refuses the cursor "%s"', async (after) => {
    const { path } = await longThread(0);
    const { status, body } = await ada.rest.get(`${path}?after=${after}`);
    expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'after']);
  });
});
