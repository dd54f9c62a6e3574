/** Errors that nothing in the program handles. They come from a module that is loaded before it, and waits for signals. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { RestClient } from '../support/clients/rest-client.js';
import type { ThreadBody } from '../support/clients/rest-types.js';
import { createTestDatabase } from '../support/database/database.js';
import { hang, text } from '../support/model/model-script.js';
import { startModelServer } from '../support/model/model-server.js';
import { runSql } from '../support/server.js';
import { type LogLine, logOf } from './group.js';
import { end, serve } from './program.js';

const defects = `
  process.on('SIGUSR2', () => { Promise.reject(new Error('orphan: "what somebody wrote"')); });
  process.on('SIGWINCH', () => { throw new Error('thrown'); });`;

it('a rejection is logged and counted, and the service goes on; an exception ends it with status 1, and its responses are released', {
  timeout: 120_000,
}, async () => {
  await using database = await createTestDatabase();
  const model = await startModelServer();
  onTestFinished(() => model.close());
  model.respond(() => [text('Hel'), hang()]);
  const service = await serve({
    ...{ DATABASE_URL: database.url, AI_MODEL: 'compatible:scripted', AI_BASE_URL: model.url },
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(defects)}`,
  });
  onTestFinished(async () => void (await end(service, 'SIGKILL')));
  const [token = ''] = await service.prints(/skn_pat_[0-9A-Za-z]{36}/);
  const rest = new RestClient({ origin: service.url, prefix: '/api/v1', token });
  const { threadId } = await rest.createThread({ text: 'Hi' });
  const state = async () => (await rest.get<ThreadBody>(`/threads/${threadId}`)).body.state;
  await vi.waitFor(async () => expect(await state()).toBe('active'), { timeout: 20_000 });

  service.child.kill('SIGUSR2');
  await service.says(/nothing handled this rejection/);
  const errors = () => logOf(service).filter(({ level }) => level >= 50) as (LogLine & { err?: { stack: string } })[];
  expect(errors()).toMatchObject([
    { level: 50, err: { stack: expect.stringMatching(/^Error: orphan: \[hidden\]\n +at /) } },
  ]);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^skein_unhandled_rejections_total 1$/m);
  expect(await state()).toBe('active');

  service.child.kill('SIGWINCH');
  expect(await service.ended).toBe(1);
  const responses = 'SELECT lease_until <= clock_timestamp() AS released FROM response';
  expect(await runSql(database.url, responses)).toEqual([{ released: true }]);
  expect(errors().slice(1)).toMatchObject([
    { level: 60, err: { stack: expect.stringMatching(/^Error: thrown\n +at /) } },
  ]);
});
