/** What is kept beside conversations does not grow without end: it has a bound for each thread, or an age, and is less than they are. */
import { expect } from 'vitest';
import { keptEvents, readHistory } from '../../../src/modules/threads/history.js';
import { it } from '../../support/fixtures/service.js';
import { text } from '../../support/model/model-script.js';
import { addThread, addThreads, newcomer } from '../../support/threads.js';

it('the history of a thread is its newest 200 events', async ({ service, database, ada }) => {
  const id = await addThread(service, ada);
  for (const first of [1, 301]) {
    await database.$queryRaw`
      SELECT record_thread_event(${id}, NULL, 'started', n::int, 1, NULL, NULL)::text
      FROM generate_series(${first}::int, ${first + 299}::int) AS n`;
  }
  expect(await database.threadEvent.count({ where: { threadId: id } })).toBe(keptEvents);
  const attempts = (await readHistory(database, id)).map(({ attempt }) => attempt);
  expect([attempts[0], attempts.at(-1)]).toEqual([600 - keptEvents + 1, 600]);
});

it('a user has one position for each thread at which a page of a list ended', async ({ service }) => {
  const eve = await newcomer(service);
  await addThreads(service, eve, [{}, {}, {}]);
  for (let reading = 0; reading < 5; reading += 1) {
    for (const limit of [1, 2]) expect((await eve.rest.get(`/threads?limit=${limit}`)).status).toBe(200);
  }
  expect(await service.database.listPosition.count({ where: { userId: eve.id } })).toBe(2);
});

it('what turns leave beside the conversation is less than the conversation', async ({ service }) => {
  const eve = await newcomer(service);
  const answer = Array.from({ length: 150 }, (_, n) => `word${n}`).join(' ');
  for (let thread = 0; thread < 3; thread += 1) {
    service.model.enqueue([text(answer)]);
    const { threadId } = await eve.rest.readyThread({ text: 'Tell me more about this, please.' });
    for (let turn = 1; turn < 5; turn += 1) {
      service.model.enqueue([text(answer)]);
      await eve.rest.answer(await eve.rest.send(threadId, 'And then, what came after that?'));
    }
    expect((await eve.rest.get('/threads?limit=1')).status).toBe(200);
  }
  const bytesOf = async (tables: readonly string[]) => {
    const parts = tables.map((table) => `SELECT sum(pg_column_size(t.*)) AS n FROM ${table} t`);
    const [row] = await service.sql(
      `SELECT coalesce(sum(n), 0)::float8 AS bytes FROM (${parts.join(' UNION ALL ')}) s`,
    );
    return (row as { bytes: number }).bytes;
  };
  const kept = await bytesOf(['thread_event', 'thread_position', 'list_position', 'idempotency_key']);
  const content = await bytesOf(['thread', 'message', 'response']);
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(content);
});
