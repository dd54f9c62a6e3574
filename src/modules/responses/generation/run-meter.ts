/** Measures one run, for the metrics of its process, its line in the log and its trace. */
import type { ServiceMetrics } from '../../../platform/metrics/service-metrics.js';
import type { Span, Tracing } from '../../../platform/tracing/span.js';
import type { ClaimedResponse } from '../protocol/claimed-response.js';
import { headersOf, startModelSpan } from './model-span.js';
import { errorCodeOf, type GenerationError, type SpokenEvent, type Usage } from './processor.js';

export interface MeterOptions {
  metrics: ServiceMetrics;
  tracing: Tracing | null;
  /** The first model that is called, as in `AI_MODEL`. */
  model: string;
}

export class RunMeter {
  /** The response's span; null if nothing is traced. */
  readonly span: Span | null;
  #model: string;
  readonly #metrics: ServiceMetrics;
  readonly #acceptedMs: number;
  readonly #startedMs = performance.now();
  #begunMs: number | null = null;
  /** The last call. */
  #call: ModelCall | undefined;
  /** The code of its error. */
  #fault: string | null = null;

  constructor({ metrics, tracing, model }: MeterOptions, run: ClaimedResponse) {
    const { acceptedMs, attempt, traceparent, messageId, threadId } = run;
    const attributes = { 'skein.response_id': messageId, 'skein.thread_id': threadId, 'skein.attempt': attempt };
    this.span = tracing?.start('generate response', { kind: 'consumer', traceparent, attributes }) ?? null;
    this.#model = model;
    this.#metrics = metrics;
    this.#acceptedMs = acceptedMs;
    // A response that was reclaimed left the queue long ago.
    if (attempt === 1) metrics.queueTime.observe(secondsSince(acceptedMs));
  }

  /** The model that was called last, which is the one that has answered if any has. */
  get model(): string {
    return this.#model;
  }

  /** What the log says of the run: of its last call, and in milliseconds since it started. */
  get facts() {
    const { inputTokens = null, outputTokens = null } = this.#call?.usage ?? {};
    const durationMs = Math.round(performance.now() - this.#startedMs);
    return { model: this.#model, durationMs, inputTokens, outputTokens, providerRequestId: this.#call?.requestId };
  }

  /** Null if the model has said nothing yet. */
  get msSinceFirstToken(): number | null {
    return this.#begunMs === null ? null : performance.now() - this.#begunMs;
  }

  /** Measures a call of the model; `work` tells it each event. */
  async call(model: string, signal: AbortSignal, work: (call: ModelCall) => Promise<void>): Promise<void> {
    const call = new ModelCall(this.#metrics, startModelSpan(this.span, model), () => this.#begin());
    this.#model = model;
    this.#call = call;
    this.#fault = null;
    try {
      await work(call);
      call.ended('succeeded');
    } catch (error) {
      this.#fault = signal.aborted ? null : errorCodeOf(error);
      call.ended(this.#fault ?? 'stopped');
      throw error;
    }
  }

  retries(fault: GenerationError): void {
    this.#metrics.modelRetries.inc({ code: fault.code });
  }

  fallsBack(fault: GenerationError): void {
    this.#metrics.modelFallbacks.inc({ code: fault.code });
  }

  ended(outcome: string): void {
    this.#metrics.responses.observe({ outcome }, secondsSince(this.#startedMs));
    const error = outcome === 'failed' ? (this.#fault ?? 'defect') : null;
    this.span?.end({ attributes: { 'skein.outcome': outcome }, error });
  }

  #begin(): void {
    if (this.#begunMs !== null) return;
    this.#begunMs = performance.now();
    this.#metrics.firstToken.observe(secondsSince(this.#acceptedMs));
  }
}

export class ModelCall {
  /** What the model said of its tokens, and the provider's id of the call. */
  usage: Usage | null = null;
  requestId: string | undefined;
  readonly #metrics: ServiceMetrics;
  readonly #span: Span | null;
  readonly #onToken: () => void;
  readonly #startedMs = performance.now();
  #firstSeconds: number | null = null;

  constructor(metrics: ServiceMetrics, span: Span | null, onToken: () => void) {
    this.#metrics = metrics;
    this.#span = span;
    this.#onToken = onToken;
  }

  /** The headers that continue the trace at the model's server. */
  get headers(): Record<string, string> {
    return headersOf(this.#span);
  }

  see(event: SpokenEvent): void {
    if (event.type === 'usage') this.#count(event);
    else if (event.type !== 'truncated' && this.#firstSeconds === null) {
      this.#firstSeconds = secondsSince(this.#startedMs);
      this.#metrics.modelLatency.observe(this.#firstSeconds);
      this.#onToken();
    }
  }

  ended(outcome: string): void {
    this.#metrics.modelCalls.observe({ outcome }, secondsSince(this.#startedMs));
    this.#span?.end({
      attributes: {
        'gen_ai.response.time_to_first_chunk': this.#firstSeconds,
        'gen_ai.usage.input_tokens': this.usage?.inputTokens,
        'gen_ai.usage.output_tokens': this.usage?.outputTokens,
        'skein.provider_request_id': this.requestId,
      },
      error: ['succeeded', 'stopped'].includes(outcome) ? null : outcome,
    });
  }

  #count(usage: Usage): void {
    this.usage = usage;
    this.#metrics.modelTokens.inc({ direction: 'input' }, usage.inputTokens ?? 0);
    this.#metrics.modelTokens.inc({ direction: 'output' }, usage.outputTokens ?? 0);
  }
}

/** Times of the database are exact to a few milliseconds here, so one may lie ahead. */
function secondsSince(ms: number): number {
  return Math.max(0, performance.now() - ms) / 1000;
}
