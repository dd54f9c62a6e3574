/** The statement that reads a page of messages whole gives what Prisma gives, by the index, and leaves what is large. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageQuery } from '../../../src/modules/messages/message-page.js';
import { readMessages, readWithContents, withContentsSql } from '../../../src/modules/messages/read-page.js';
import { planOf } from '../../support/database/query-plan.js';
import { runSql } from '../../support/server.js';
import { openedWorld } from '../protocol/protocol-world.js';

const count = 300;

let threadId: string;
const world = openedWorld(async (opened) => {
  threadId = await addThread(count, `'Message ' || n`);
  await runSql(opened.storage.url, 'VACUUM ANALYZE');
});

/** A thread with messages of this text, of which every seventh is no longer active. */
async function addThread(messages: number, text: string): Promise<string> {
  const { threadId: id } = await world().ask();
  await runSql(
    world().storage.url,
    `INSERT INTO message (id, thread_id, sequence, role, contents, active, created_at)
     SELECT 'msg_' || '${id}' || n, '${id}', n, 'assistant', jsonb_build_array(jsonb_build_object('type', 'text', 'text', ${text})),
       n % 7 <> 0, now() FROM generate_series(3, ${messages}) n`,
  );
  return id;
}

/** Counts what is loaded. */
function answerOf(loadable: number) {
  const loaded: number[] = [];
  return {
    loaded,
    answer: {
      loadable,
      take: () => undefined,
      load: (bytes: number) => loaded.push(bytes),
      makeRoomFor: async () => undefined,
    },
  };
}

const everything = { after: 0, before: 2 ** 31 - 1 };

describe('a page of messages that is read whole', () => {
  it('has what Prisma reads, in its order, for all pages', async () => {
    const size = fc.integer({ min: 1, max: 250 });
    const place = fc.integer({ min: 0, max: count + 5 });
    const args = fc.oneof(fc.record({ first: size }), fc.record({ last: size }), fc.constant({}));
    const pages = fc.record({ args, after: place, before: place, includeInactive: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(pages, async ({ args: sizes, after, before, includeInactive }) => {
        const page = { threadId, bounds: { after, before }, args: { ...sizes, includeInactive } };
        const { where, ...query } = pageQuery(page.bounds, page.args);
        const columns = {
          id: true,
          threadId: true,
          sequence: true,
          role: true,
          replyToId: true,
          active: true,
        } as const;
        const select = { ...columns, createdAt: true, contents: true } as const;
        const expected = await world().database.message.findMany({ ...query, select, where: { ...where, threadId } });
        const bare = expected.map(({ contents: _, ...message }) => message);
        expect(await readMessages(world().database, page)).toMatchObject(bare);
        const { answer } = answerOf(1024 * 1024);
        const whole = await readWithContents({ database: world().database, answer }, page);
        const shown = expected.map((message, index) => (index < query.take - 1 ? message : bare[index]));
        expect(whole).toMatchObject(shown);
        expect(whole).toHaveLength(expected.length);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['are too large as they are stored', `(SELECT string_agg(md5(n::text || i), '') FROM generate_series(1, 1500) i)`],
    ['are small as they are stored, and large when they are unpacked', `repeat('a', 400000)`],
  ])('is left if its contents %s', async (_what, text) => {
    const large = await addThread(20, text);
    const { answer, loaded } = answerOf(1024 * 1024);
    const page = { threadId: large, bounds: everything, args: {} };
    expect(await readWithContents({ database: world().database, answer }, page)).toBeNull();
    expect(loaded).toEqual([]);
  });

  it('counts the bytes of what it shows, and nothing of the message after it', async () => {
    const { answer, loaded } = answerOf(1024 * 1024);
    const page = { threadId, bounds: { after: 10, before: 20 }, args: { first: 2 } };
    await readWithContents({ database: world().database, answer }, page);
    expect(loaded).toEqual([2 * '[{"text": "Message 11", "type": "text"}]'.length]);
  });

  it('is one range of the index', async () => {
    const page = { threadId, bounds: { after: 100, before: 2 ** 31 - 1 }, args: { first: 50 } };
    const plan = await planOf(world().storage.url, withContentsSql(page, 1024 * 1024));
    const scans = plan.filter((step) => /Scan/.test(step['Node Type']) && step['Node Type'] !== 'Subquery Scan');
    expect(scans).toMatchObject([{ 'Index Name': 'message_thread_id_sequence_key' }]);
    expect(scans[0]?.['Actual Rows']).toBeLessThanOrEqual(51);
  });
});
