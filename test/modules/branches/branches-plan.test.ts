/**
 * The cost of a branch for PostgreSQL, in a thread of 6,000 messages beside 6,000 others: its statements read by index what the
 * branch has, and neither the conversation before it nor other threads.
 */
import { describe, expect } from 'vitest';
import { Prisma } from '../../../prisma/generated/client/client.js';
import { findVariant, variantSql } from '../../../src/modules/messages/branches/find-variant.js';
import { selectSql } from '../../../src/modules/messages/branches/select-variant.js';
import { planOf, printPlan, rowsTouched } from '../../support/database/query-plan.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { runSql } from '../../support/server.js';
import { addThread } from '../../support/threads.js';

const id = (place: number) => `msg_${String(place).padStart(26, '0')}`;
const [oldest, newest] = [id(5990), id(5996)];

const it = serviceTest().extend('url', { scope: 'file' }, ({ service }) => service.storage.url);
it.beforeAll(async ({ service, url, ada }) => {
  const [threadId, other] = [await addThread(service, ada), await addThread(service, ada)];
  for (const [thread, first] of [[threadId, 1] as const, [other, 6001] as const]) {
    await runSql(
      url,
      Prisma.sql`
        INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
        SELECT 'msg_' || lpad(i::text, 26, '0'), ${thread}, 2 * i, 'user', '[{"type": "text", "text": "Hi"}]', now()
        FROM generate_series(${first}::int, ${first + 5999}::int) i`,
    );
  }
  // The oldest variant was put aside with five messages after it.
  await runSql(
    url,
    Prisma.sql`
      UPDATE message SET active = false, hidden_with_id = ${oldest}, turn_id = CASE WHEN id = ${oldest} THEN id END
      WHERE id BETWEEN ${oldest} AND ${id(5995)}`,
    Prisma.sql`UPDATE message SET turn_id = ${oldest} WHERE id = ${newest}`,
  );
  await runSql(url, 'VACUUM ANALYZE');
});

describe('the plan of', () => {
  it('the search for a variant reads its turn alone', async ({ url, viewer }) => {
    const plan = await planOf(url, variantSql(viewer, oldest));
    const onMessages = plan.filter((step) => step['Relation Name'] === 'message');
    expect(rowsTouched(onMessages), printPlan(plan)).toBeLessThanOrEqual(3);
  });

  it('a selection reads what it puts aside and what it brings back', async ({ url, database, viewer }) => {
    const variant = await findVariant(database, viewer, oldest);
    const plan = await planOf(url, selectSql(viewer, variant, variant.selected ?? expect.fail('none is selected')));
    const reads = plan.filter((step) => step['Relation Name'] === 'message' && /Scan/.test(String(step['Node Type'])));
    expect(rowsTouched(reads), printPlan(plan)).toBeLessThanOrEqual(12);
  });
});
