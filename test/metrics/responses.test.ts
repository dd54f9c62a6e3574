/** What a process counts of its responses: the queue, the model and its tokens, and what was lost. */
import { describe, expect, vi } from 'vitest';
import { collectEvents } from '../modules/viewing/collect-events.js';
import { it } from '../support/fixtures/service.js';
import { finish, gate, httpError, text, usage, wait } from '../support/model/model-script.js';
import { runSql } from '../support/server.js';
import { type Scrape, scrape } from './scrape.js';

const patience = { timeout: 10_000 };

/** Waits until a value has grown so much since `before`. */
async function grows(
  url: string,
  before: Scrape,
  [name, labels, by]: readonly [string, Record<string, string>, number],
) {
  await vi.waitFor(async () => {
    const growth = (await scrape(url)).sum(name, labels) - before.sum(name, labels);
    expect(growth, `${name} ${JSON.stringify(labels)}`).toBe(by);
  }, patience);
}

describe('a response that succeeds', () => {
  it('counts in the metrics of the queue, the model and its tokens', async ({ service, ada }) => {
    const before = await scrape(service.url);
    service.model.enqueue([text('Hello'), usage(70, 7), finish()]);
    await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
    for (const growth of [
      ['skein_response_queue_seconds_count', {}, 1],
      ['skein_time_to_first_token_seconds_count', {}, 1],
      ['skein_model_latency_seconds_count', {}, 1],
      ['skein_model_call_duration_seconds_count', { outcome: 'succeeded' }, 1],
      ['skein_response_duration_seconds_count', { outcome: 'succeeded' }, 1],
      ['skein_model_tokens_total', { direction: 'input' }, 70],
      ['skein_model_tokens_total', { direction: 'output' }, 7],
      ['skein_model_retries_total', {}, 0],
    ] as const)
      await grows(service.url, before, growth);
  });

  it('adds no counts to the tokens that no model can have taken', async ({ service, ada }) => {
    const before = await scrape(service.url);
    service.model.enqueue([text('Hello'), usage(1e300, -7), finish()], [text('Hello'), usage(1.5, 3), finish()]);
    for (const name of ['A', 'B']) await ada.rest.answer(await ada.rest.createThread({ text: 'Hi', name }));
    await grows(service.url, before, ['skein_model_tokens_total', { direction: 'output' }, 3]);
    await grows(service.url, before, ['skein_model_tokens_total', { direction: 'input' }, 0]);
    expect(service.log.join('')).not.toMatch(/"inputTokens":(1e|1\.5)|"outputTokens":-7/);
  });

  it('has waited in the queue, and says its first token, at times that were measured', async ({ service, ada }) => {
    const said = gate();
    service.model.enqueue([wait(said.passed), text('Hello')]);
    const before = await scrape(service.url);
    const begunMs = performance.now();
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await grows(service.url, before, ['skein_response_queue_seconds_count', {}, 1]);
    await grows(service.url, before, ['skein_time_to_first_token_seconds_count', {}, 0]);
    said.open();
    await ada.rest.answer(sent);
    await grows(service.url, before, ['skein_time_to_first_token_seconds_count', {}, 1]);
    const sum = (metrics: Scrape) => metrics.sum('skein_time_to_first_token_seconds_sum');
    const grown = sum(await scrape(service.url)) - sum(before);
    expect(grown).toBeGreaterThan(0);
    expect(grown).toBeLessThanOrEqual((performance.now() - begunMs) / 1000);
  });
});

describe('a model that fails', () => {
  it('counts each call that failed, and is asked again', async ({ service, ada }) => {
    const before = await scrape(service.url);
    service.model.enqueue([httpError(503)], [text('Hello')]);
    await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
    for (const growth of [
      ['skein_model_call_duration_seconds_count', { outcome: 'model_unavailable' }, 1],
      ['skein_model_call_duration_seconds_count', { outcome: 'succeeded' }, 1],
      ['skein_model_retries_total', { code: 'model_unavailable' }, 1],
      ['skein_response_duration_seconds_count', { outcome: 'succeeded' }, 1],
    ] as const)
      await grows(service.url, before, growth);
  });

  it('counts a response that failed', async ({ service, ada }) => {
    const before = await scrape(service.url);
    service.model.enqueue([httpError(401)]);
    await collectEvents(await ada.rest.stream(await ada.rest.createThread({ text: 'Hi' })));
    await grows(service.url, before, ['skein_response_duration_seconds_count', { outcome: 'failed' }, 1]);
    await grows(service.url, before, ['skein_model_call_duration_seconds_count', { outcome: 'model_unauthorized' }, 1]);
  });
});

describe('skein_queued_responses and skein_oldest_queued_response_seconds', () => {
  it('tell how many responses wait for a worker, and for how long', async ({ idle }) => {
    const carol = await idle.person();
    for (const words of ['One', 'Two']) await carol.rest.createThread({ text: words });
    await runSql(idle.storage.url, "UPDATE response SET created_at = created_at - interval '1 hour'");
    const metrics = await scrape(idle.url);
    expect(metrics.sum('skein_queued_responses')).toBe(2);
    expect(metrics.sum('skein_oldest_queued_response_seconds')).toBeGreaterThan(3_599);
    expect(metrics.sum('skein_oldest_unfinished_response_seconds')).toBeGreaterThan(3_599);
  });
});

it('skein_takeovers_total counts responses that were reclaimed from a lost worker', async ({ service, ada }) => {
  const going = gate();
  service.model.enqueue([text('Hel'), wait(going.passed)]);
  const sent = await ada.rest.createThread({ text: 'Hi' });
  const stream = await ada.rest.stream(sent);
  await stream.next();
  const before = await scrape(service.url);
  service.model.enqueue([text('Hello')]);
  // The worker that has it is lost at once, as if it had been another node's.
  await service.sql(`WITH taken AS (UPDATE thread SET epoch = epoch + 1 WHERE id = '${sent.threadId}' RETURNING epoch)
       UPDATE response SET epoch = taken.epoch, worker_id = 'lost', lease_until = clock_timestamp() - interval '1 second'
       FROM taken WHERE message_id = '${sent.messageId}'`);
  await grows(service.url, before, ['skein_takeovers_total', {}, 1]);
  await grows(service.url, before, ['skein_response_duration_seconds_count', { outcome: 'abandoned' }, 1]);
  going.open();
  await ada.rest.answer(sent);
});
