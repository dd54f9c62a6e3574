/** What is read of a response, for a poll and for a stream, is read by its keys, however much else there is. */
import { expect, it } from 'vitest';
import { wholeResponseSql } from '../../../src/modules/responses/read-whole-response.js';
import { visibleResponseSql } from '../../../src/modules/responses/viewing/read-response.js';
import { planOf, preparedPlanOf } from '../../support/database/query-plan.js';
import { runSql } from '../../support/server.js';
import { openedWorld } from '../protocol/protocol-world.js';

const world = openedWorld();

it('reads the row for a stream by its keys, though it was planned while there were few threads', async () => {
  const { threadId, messageId } = await world().ask();
  const { viewer } = world();
  const sql = visibleResponseSql({ viewer, threadId, messageId, withText: true });
  const plan = await preparedPlanOf(world().storage.url, sql);
  const indexes = plan.filter((step) => /^(thread|response)$/.test(step['Relation Name'] ?? ''));
  expect(indexes.map((step) => step['Index Name'])).toEqual(['response_pkey', 'thread_pkey']);
});

it('reads the response and its answer by their keys', async () => {
  const { threadId, messageId } = await world().ask();
  await runSql(
    world().storage.url,
    `INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
     SELECT 'msg_other' || n, '${threadId}', n, 'assistant', '[]', now() FROM generate_series(100, 2000) n`,
  );
  await runSql(world().storage.url, 'VACUUM ANALYZE');
  const sql = wholeResponseSql(world().viewer, { threadId, messageId }, 1000);
  const plan = await planOf(world().storage.url, sql);
  const scans = plan.filter((step) => /Scan/.test(step['Node Type']) && step['Node Type'] !== 'Subquery Scan');
  const large = scans.filter((step) => step['Relation Name'] === 'message');
  expect(large.map((step) => step['Index Name'])).toEqual(['message_pkey', 'message_reply_to_id_position_key']);
});
