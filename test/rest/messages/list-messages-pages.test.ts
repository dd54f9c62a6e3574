import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { it as test } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { numbered, storeMessages } from './stored-messages.js';

type Page = PageBody<MessageBody>;

/** With a thread of seven messages, which no test that uses it changes. */
const it = test.extend('seven', { scope: 'file' }, ({ service, ada }) => longThread(service, ada, 5));

/** A thread with two messages of its own and `count` more, and the ids of all. */
async function longThread(
  service: TestService,
  ada: Person,
  count: number,
): Promise<{ path: string; ids: string[]; threadId: string }> {
  const { threadId, messageId } = await ada.rest.createThread({ text: 'Hi' });
  const [answer] = await ada.rest.answer({ threadId, messageId });
  const more = await storeMessages(service, threadId, numbered(count));
  return { threadId, path: `/threads/${threadId}/messages`, ids: [messageId, String(answer?.id), ...more] };
}

async function page(ada: Person, path: string): Promise<Page> {
  const { status, body } = await ada.rest.get<Page>(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

describe('GET /threads/{thread-id}/messages › pages', () => {
  it.for([1, 2, 3, 4, 7, 8])('returns seven messages in pages of %i, each once', async (limit, { ada, seven }) => {
    const seen: string[] = [];
    let after = '';
    for (;;) {
      const { data, ...envelope } = await page(ada, `${seven.path}?limit=${limit}${after}`);
      seen.push(...data.map((message) => message.id));
      const ends = { first_id: data[0]?.id, last_id: data.at(-1)?.id };
      expect(envelope).toEqual({ ...ends, has_more: seen.length < 7, limit });
      if (!envelope.has_more) break;
      after = `&after=${envelope.last_id}`;
    }
    expect(seen).toEqual(seven.ids);
  });

  it('gives fifty without a limit, and at most two hundred', async ({ service, ada }) => {
    const { path, ids } = await longThread(service, ada, 199);
    const sizes = async (query: string) => {
      const { data, limit, has_more } = await page(ada, `${path}${query}`);
      return [data.length, limit, has_more];
    };
    expect(await sizes('')).toEqual([50, 50, true]);
    expect(await sizes('?limit=50')).toEqual([50, 50, true]);
    for (const limit of [200, 201, 1000, 999_999_999]) {
      expect(await sizes(`?limit=${limit}`), `limit ${limit}`).toEqual([200, 200, true]);
    }
    expect((await page(ada, `${path}?limit=500&after=${ids[199]}`)).data.map((message) => message.id)).toEqual([
      ids[200],
    ]);
  });

  it('gives an empty page after the last message, and with the same cursor what is added', async ({ service, ada }) => {
    const { threadId, path, ids } = await longThread(service, ada, 1);
    const cursor = `${path}?after=${ids.at(-1)}`;
    const empty = { data: [], first_id: null, last_id: null, has_more: false, limit: 50 };
    expect(await page(ada, cursor)).toEqual(empty);
    const added = await storeMessages(service, threadId, numbered(2));
    expect((await page(ada, cursor)).data.map((message) => message.id)).toEqual(added);
  });
});

describe('GET /threads/{thread-id}/messages › 400', () => {
  it('refuses every id of no message of the thread as a cursor, in one way', async ({
    service,
    ada,
    seven: { path, threadId },
  }) => {
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

  it.for(['%00', 'a%00b', 'x'.repeat(501)])('refuses the cursor "%s"', async (after, { ada, seven }) => {
    const { status, body } = await ada.rest.get(`${seven.path}?after=${after}`);
    expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'after']);
  });
});
