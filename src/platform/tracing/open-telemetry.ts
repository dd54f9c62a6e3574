/**
 * Traces by the libraries of OpenTelemetry, sent as OTLP over HTTP in bounded batches. Loaded only if traces are
 * configured. Nothing is registered globally, so no library of ours adds spans of its own. Of a caller's trace only its
 * `traceparent` is taken: `tracestate` and `baggage` are free text, and would go on to the model.
 */
import { hostname } from 'node:os';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { withinMs } from '../async/time-limit.js';
import { QuietExporter } from './quiet-exporter.js';
import type { TracingSettings } from './read-tracing.js';
import type { Attributes, Span, SpanEnd, SpanOptions, Tracing } from './span.js';

/** How long the end of the process waits for the collector. */
const flushMs = 1_000;

/** Longer values are cut, for safety: none of ours is. */
const attributeLength = 256;

const propagator = new W3CTraceContextPropagator();

export class OpenTelemetry implements Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #logger: Logger;

  constructor(settings: TracingSettings, logger: Logger) {
    const { url, headers, timeoutMs: timeoutMillis, resource, delayMs, queueSize, batchSize } = settings;
    const exporter = new QuietExporter(new OTLPTraceExporter({ url, headers, timeoutMillis }), logger);
    const batches = { maxQueueSize: queueSize, maxExportBatchSize: batchSize, scheduledDelayMillis: delayMs };
    this.#logger = logger;
    this.#provider = new TracerProvider({
      // The same name of the process as in the log.
      resource: resourceFromAttributes({ 'service.instance.id': `${process.pid}@${hostname()}`, ...resource }),
      sampler: samplerOf(settings),
      spanLimits: { attributeValueLengthLimit: attributeLength },
      spanProcessors: [new BatchSpanProcessor({ exporter, ...batches })],
    });
    this.#tracer = this.#provider.getTracer('skein');
  }

  start(
    name: string,
    { traceparent, ...options }: SpanOptions & { traceparent: string | null | undefined },
  ): ExportedSpan {
    const parent = propagator.extract(ROOT_CONTEXT, { traceparent: traceparent ?? '' }, defaultTextMapGetter);
    return startSpan(this.#tracer, name, { ...options, parent });
  }

  async end(): Promise<void> {
    try {
      const ended = this.#provider.shutdown().then(() => true);
      if (!(await withinMs(flushMs, ended))) this.#logger.warn('the last traces were not exported in time');
    } catch (error) {
      this.#logger.warn({ err: error }, 'the last traces were not exported');
    }
  }
}

class ExportedSpan implements Span {
  readonly traceId: string;
  readonly traceparent: string;
  readonly #tracer: Tracer;
  readonly #span: OtelSpan;
  readonly #context: Context;

  constructor(tracer: Tracer, span: OtelSpan) {
    const carrier: { traceparent?: string } = {};
    this.#tracer = tracer;
    this.#span = span;
    this.#context = trace.setSpan(ROOT_CONTEXT, span);
    propagator.inject(this.#context, carrier, defaultTextMapSetter);
    this.traceId = span.spanContext().traceId;
    this.traceparent = carrier.traceparent ?? '';
  }

  child(name: string, options: SpanOptions = {}): ExportedSpan {
    return startSpan(this.#tracer, name, { ...options, parent: this.#context });
  }

  end({ name, attributes, error }: SpanEnd = {}): void {
    if (name !== undefined) this.#span.updateName(name);
    this.#span.setAttributes(definedOf({ ...attributes, 'error.type': error }));
    if (error) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

function startSpan(
  tracer: Tracer,
  name: string,
  { kind = 'internal', attributes = {}, parent }: SpanOptions & { parent: Context },
): ExportedSpan {
  const options = { kind: kinds[kind], attributes: definedOf(attributes) };
  return new ExportedSpan(tracer, tracer.startSpan(name, options, parent));
}

function definedOf(attributes: Attributes): Record<string, string | number | boolean> {
  const defined: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) if (value != null) defined[name] = value;
  return defined;
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const root = rootSamplerOf(sampler, ratio);
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSamplerOf(name: TracingSettings['sampler'], ratio: number): Sampler {
  if (name.endsWith('always_on')) return new AlwaysOnSampler();
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}
