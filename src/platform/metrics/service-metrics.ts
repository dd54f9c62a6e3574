/**
 * What a process counts while it works. What it only has to look at is read at each scrape instead
 * (`process/gauges.ts`). No label has a value that a caller chose: each further value costs memory here and in
 * Prometheus for as long as the process lives.
 */
import { Counter, Histogram, Registry } from 'prom-client';
import { LimitsHit } from './limits-hit.js';

/** Seconds. */
const short = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const long = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Labels that exist from the start, so that the first increase is seen as one. */
const outcomes = ['succeeded', 'failed', 'interrupted', 'lost', 'abandoned'];
const callOutcomes = ['succeeded', 'stopped', 'model_unauthorized', 'model_quota_exceeded'];

export class ServiceMetrics {
  readonly registry = new Registry();
  readonly #registers = [this.registry];
  readonly requests = new Histogram({
    name: 'skein_request_duration_seconds',
    help: 'Time from a request to the end of its response, by method, route and status. A stream lasts until it ends.',
    labelNames: ['method', 'route', 'status'],
    buckets: short,
    registers: this.#registers,
  });
  readonly operations = new Histogram({
    name: 'skein_graphql_operation_duration_seconds',
    help: 'Time of operations, those of REST included, by kind and outcome. For a subscription, the time until it is open.',
    labelNames: ['kind', 'outcome'],
    buckets: short,
    registers: this.#registers,
  });
  readonly limitsHit = new LimitsHit(this.registry);
  readonly queueTime = new Histogram({
    name: 'skein_response_queue_seconds',
    help: 'Time from a message to the start of its response on this process.',
    buckets: long,
    registers: this.#registers,
  });
  readonly firstToken = new Histogram({
    name: 'skein_time_to_first_token_seconds',
    help: 'Time from a message to the first token of its response.',
    buckets: long,
    registers: this.#registers,
  });
  readonly responses = new Histogram({
    name: 'skein_response_duration_seconds',
    help: 'Time from the start of a response to its end on this process, by outcome.',
    labelNames: ['outcome'],
    buckets: long,
    registers: this.#registers,
  });
  readonly modelLatency = new Histogram({
    name: 'skein_model_latency_seconds',
    help: 'Time from a call of the model to its first output.',
    buckets: long,
    registers: this.#registers,
  });
  readonly modelCalls = new Histogram({
    name: 'skein_model_call_duration_seconds',
    help: 'Time of calls of the model, by outcome: succeeded, stopped, or the code of the error. With model_unauthorized check AI_API_KEY; with model_quota_exceeded add credit at the provider.',
    labelNames: ['outcome'],
    buckets: long,
    registers: this.#registers,
  });
  readonly modelRetries = new Counter({
    name: 'skein_model_retries_total',
    help: 'Calls of the model that were repeated, by the code of the error before.',
    labelNames: ['code'],
    registers: this.#registers,
  });
  readonly modelFallbacks = new Counter({
    name: 'skein_model_fallbacks_total',
    help: 'Calls for a response after which the next model of AI_MODEL was called, by the code of the error.',
    labelNames: ['code'],
    registers: this.#registers,
  });
  readonly modelRefusals = new Counter({
    name: 'skein_model_feature_refusals_total',
    help: 'Features that a model server refused, and that requests are made without for a while. Name them in AI_WITHOUT to save the calls.',
    labelNames: ['feature'],
    registers: this.#registers,
  });
  readonly modelTokens = new Counter({
    name: 'skein_model_tokens_total',
    help: 'Tokens of finished calls, as the model counts them, by direction.',
    labelNames: ['direction'],
    registers: this.#registers,
  });

  /** Reads how many streams are open; set by what limits them. */
  countStreams: () => number = () => 0;

  constructor({
    errorCodes = [],
    features = [],
  }: { errorCodes?: readonly string[]; features?: readonly string[] } = {}) {
    for (const outcome of outcomes) this.responses.zero({ outcome });
    for (const outcome of callOutcomes) this.modelCalls.zero({ outcome });
    for (const direction of ['input', 'output']) this.modelTokens.inc({ direction }, 0);
    for (const feature of features) this.modelRefusals.inc({ feature }, 0);
    for (const code of errorCodes) {
      this.modelRetries.inc({ code }, 0);
      this.modelFallbacks.inc({ code }, 0);
    }
  }
}
