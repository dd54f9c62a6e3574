/** Reads the standard variables of OpenTelemetry. Without an endpoint there are no traces, and the others do not matter. */
import type { EnvironmentReader } from '../environment/environment-reader.js';
import { readHeaders, readPairs } from '../environment/pairs.js';

export interface TracingSettings {
  /** Where spans are sent. */
  url: string;
  headers: Record<string, string>;
  /** How long a batch may take, with its retries. */
  timeoutMs: number;
  /** Attributes of the service, its name among them. */
  resource: Record<string, string>;
  sampler: SamplerName;
  /** The share of traces of the samplers that have one. */
  ratio: number;
  /** Milliseconds until a batch is sent, if it does not fill up before. */
  delayMs: number;
  /** Spans that wait at most; further ones are dropped. */
  queueSize: number;
  batchSize: number;
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

/** Null if nothing is traced. */
export function readTracing(read: EnvironmentReader): TracingSettings | null {
  const isDisabled = read.choice('OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true';
  const isElsewhere = read.choice('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp') === 'none';
  const url = endpointOf(read);
  if (isDisabled || isElsewhere || url === undefined) return null;
  // The port for this protocol is usually 4318, and that for gRPC 4317.
  read.choice('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'], 'http/protobuf');
  read.choice('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', ['http/protobuf'], 'http/protobuf');
  const common = read.parsed('OTEL_EXPORTER_OTLP_HEADERS', readHeaders);
  const ofTraces = read.parsed('OTEL_EXPORTER_OTLP_TRACES_HEADERS', readHeaders);
  const attributes = read.parsed('OTEL_RESOURCE_ATTRIBUTES', (text) => readPairs(text, 'service.version=2,region=eu'));
  const name = read.text('OTEL_SERVICE_NAME') ?? attributes?.['service.name'] ?? 'skein';
  const resource = { ...attributes, 'service.name': name };
  return {
    url,
    headers: { ...common, ...ofTraces },
    timeoutMs: read.integer('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000, { min: 1, max: 600_000 }),
    resource,
    ...readSampler(read),
    ...readBatches(read),
  };
}

function endpointOf(read: EnvironmentReader): string | undefined {
  const common = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  const ofTraces = read.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http:', 'https:']);
  if (ofTraces !== undefined || common === undefined) return ofTraces;
  const url = new URL(common);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

function readSampler(read: EnvironmentReader): Pick<TracingSettings, 'sampler' | 'ratio'> {
  const sampler = read.choice('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on');
  return { sampler, ratio: read.parsed('OTEL_TRACES_SAMPLER_ARG', readRatio) ?? 1 };
}

function readRatio(text: string): number {
  if (/^(0(\.[0-9]+)?|1(\.0+)?|\.[0-9]+)$/.test(text)) return Number(text);
  throw new Error(`"${text}" is not a number from 0 to 1, the share of requests to trace`);
}

function readBatches(read: EnvironmentReader): Pick<TracingSettings, 'delayMs' | 'queueSize' | 'batchSize'> {
  const delayMs = read.integer('OTEL_BSP_SCHEDULE_DELAY', 5000, { min: 1, max: 600_000 });
  const queueSize = read.integer('OTEL_BSP_MAX_QUEUE_SIZE', 2048, { min: 1, max: 1_000_000 });
  const batchSize = read.integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, { min: 1, max: 1_000_000 });
  if (batchSize > queueSize && read.text('OTEL_BSP_MAX_EXPORT_BATCH_SIZE')) {
    read.problems.push(
      `OTEL_BSP_MAX_EXPORT_BATCH_SIZE: must be at most OTEL_BSP_MAX_QUEUE_SIZE, which is ${queueSize}`,
    );
  }
  return { delayMs, queueSize, batchSize: Math.min(batchSize, queueSize) };
}
