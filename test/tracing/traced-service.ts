/** A service that sends its traces to a collector of the test, soon after each span. */
import { randomBytes } from 'node:crypto';
import { serviceTest } from '../support/fixtures/service.js';
import { startTestService } from '../support/service.js';
import { startCollector } from './collector.js';

export const soon = { OTEL_BSP_SCHEDULE_DELAY: '20' };

export const it = serviceTest()
  .extend('collector', { scope: 'file' }, async ({ folder: _folder }, { onCleanup }) => {
    const collector = await startCollector();
    onCleanup(() => collector.close());
    return collector;
  })
  .extend('service', { scope: 'file' }, async ({ collector }, { onCleanup }) => {
    const service = await startTestService({
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...soon, ...resource },
    });
    onCleanup(() => service.stop());
    return service;
  });

const resource = {
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,place=a%2Cb',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=collector%20secret',
};

/** The header of a caller that is traced, and its parts. */
export function tracedCaller({ isSampled = true } = {}) {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}` } };
}
