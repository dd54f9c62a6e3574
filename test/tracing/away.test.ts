/** Traces that are off, and collectors that are away: neither changes anything for callers. */
import { describe, expect } from 'vitest';
import { freePort } from '../support/network/free-port.js';
import { startTestService, type TestService } from '../support/service.js';
import { it, soon, startCollector, tracedCaller } from './traced-service.js';

/** Has a conversation with a service, and gives the header that the model saw. */
async function converse(service: TestService) {
  const ada = await service.person();
  await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }, tracedCaller()));
  return service.model.lastRequest.headers['traceparent'];
}

const failing = 'traces cannot be exported and are lost until the collector answers';

function countOf({ log }: TestService, message: string): number {
  return log.filter((line) => JSON.parse(line).msg === message).length;
}

it('a service without an endpoint traces nothing, and tells the model nothing', async () => {
  await using service = await startTestService();
  expect(await converse(service)).toBeUndefined();
  const stored = await service.sql('SELECT traceparent FROM response');
  expect(stored).toEqual([{ traceparent: null }]);
  expect(service.log.filter((line) => line.includes('traceId'))).toEqual([]);
});

describe('a collector that cannot be reached', () => {
  it('changes nothing for callers, and is logged once', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const environment = { ...soon, OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: '50' };
    await using service = await startTestService({ environment });
    await converse(service);
    await expect.poll(() => countOf(service, failing)).toBe(1);
    await converse(service);
    expect(countOf(service, failing)).toBe(1);
  });

  it('is logged once while it refuses, and once when it is back', async () => {
    const collector = await startCollector();
    collector.answer = 400;
    const environment = { ...soon, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    await using service = await startTestService({ environment });
    const ada = await service.person();
    for (let batches = 0; batches < 3; ) {
      await ada.rest.get('/me');
      await expect.poll(() => collector.requests.length).toBeGreaterThan(batches);
      batches = collector.requests.length;
    }
    await expect.poll(() => countOf(service, failing)).toBe(1);
    collector.answer = 200;
    const { traceId, headers } = tracedCaller();
    await ada.rest.get('/me', { headers });
    await collector.span(traceId, 'GET /api/v1/me');
    await expect.poll(() => countOf(service, 'traces are exported again')).toBe(1);
    expect(countOf(service, failing)).toBe(1);
    await collector.close();
  });

  it('costs no more memory than the queue may have: further spans are dropped', async () => {
    const collector = await startCollector();
    collector.answer = 'hang';
    const most = '8';
    const queue = { OTEL_BSP_MAX_QUEUE_SIZE: most, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: most };
    const service = await startTestService({ environment: { ...queue, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    const ada = await service.person();
    for (let count = 0; count < 20; count += 1) await ada.rest.get('/me');
    await expect.poll(() => [countOf(service, 'request'), collector.requests.length]).toEqual([20, 1]);
    collector.answer = 200;
    await service.stop();
    expect(collector.spans).toHaveLength(Number(most));
    await collector.close();
  });

  it('does not keep a process from ending while it is silent', async () => {
    const collector = await startCollector();
    collector.answer = 'hang';
    const service = await startTestService({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    await converse(service);
    await service.stop();
    expect(countOf(service, 'the last traces were not exported in time')).toBe(1);
    expect(collector.requests.length).toBe(1);
    await collector.close();
  });
});
