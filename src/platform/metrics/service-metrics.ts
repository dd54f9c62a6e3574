/**
 * What a process counts while it works. What it only has to look at is read at each scrape instead
 * (`process/gauges.ts`). No label has a value that a caller chose: each further value costs memory here and in
 * Prometheus for as long as the process lives.
 */
import { Counter } from './counter.js';
import { Histogram } from './histogram.js';
import { LimitsHit } from './limits-hit.js';

/** Seconds. */
const short = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const long = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

export class ServiceMetrics {
  readonly requests = new Histogram({
    name: 'skein_request_duration_seconds',
    help: 'Time from a request to the end of its response, by method, route and status. A stream lasts until it ends.',
    labels: ['method', 'route', 'status'],
    bounds: short,
  });
  readonly operations = new Histogram({
    name: 'skein_graphql_operation_duration_seconds',
    help: 'Time of operations, those of REST included, by kind and outcome. For a subscription, the time until it is open.',
    labels: ['kind', 'outcome'],
    bounds: short,
  });
  readonly limitsHit = new LimitsHit();
  readonly queueTime = new Histogram({
    name: 'skein_response_queue_seconds',
    help: 'Time from a message to the start of its response on this process.',
    bounds: long,
  });
  readonly firstToken = new Histogram({
    name: 'skein_time_to_first_token_seconds',
    help: 'Time from a message to the first token of its response.',
    bounds: long,
  });
  readonly responses = new Histogram({
    name: 'skein_response_duration_seconds',
    help: 'Time from the start of a response to its end on this process, by outcome.',
    labels: ['outcome'],
    known: [['succeeded'], ['failed'], ['interrupted'], ['lost'], ['abandoned']],
    bounds: long,
  });
  readonly modelLatency = new Histogram({
    name: 'skein_model_latency_seconds',
    help: 'Time from a call of the model to its first output.',
    bounds: long,
  });
  readonly modelCalls = new Histogram({
    name: 'skein_model_call_duration_seconds',
    help: 'Time of calls of the model, by outcome: succeeded, stopped, or the code of the error. With model_unauthorized check AI_API_KEY; with model_quota_exceeded add credit at the provider.',
    labels: ['outcome'],
    known: [['succeeded'], ['stopped'], ['model_unauthorized'], ['model_quota_exceeded']],
    bounds: long,
  });
  readonly modelRetries: Counter<'code'>;
  readonly modelFallbacks: Counter<'code'>;
  readonly modelRefusals: Counter<'feature'>;
  readonly modelTokens = new Counter({
    name: 'skein_model_tokens_total',
    help: 'Tokens of finished calls, as the model counts them, by direction.',
    labels: ['direction'],
    known: [['input'], ['output']],
  });

  /** Reads how many streams are open; set by what limits them. */
  countStreams: () => number = () => 0;

  constructor({
    errorCodes = [],
    features = [],
  }: { errorCodes?: readonly string[]; features?: readonly string[] } = {}) {
    this.modelRefusals = new Counter({
      name: 'skein_model_feature_refusals_total',
      help: 'Features that a model server refused, and that requests are made without for a while. Name them in AI_WITHOUT to save the calls.',
      labels: ['feature'],
      known: features.map((feature) => [feature]),
    });
    this.modelFallbacks = new Counter({
      name: 'skein_model_fallbacks_total',
      help: 'Calls for a response after which the next model of AI_MODEL was called, by the code of the error.',
      labels: ['code'],
      known: errorCodes.map((code) => [code]),
    });
    this.modelRetries = new Counter({
      name: 'skein_model_retries_total',
      help: 'Calls of the model that were repeated, by the code of the error before.',
      labels: ['code'],
      known: errorCodes.map((code) => [code]),
    });
  }

  get all(): readonly (Counter<string> | Histogram<string>)[] {
    const { requests, operations, limitsHit, queueTime, firstToken, responses } = this;
    const { modelLatency, modelCalls, modelRetries, modelFallbacks, modelRefusals, modelTokens } = this;
    const models = [modelLatency, modelCalls, modelRetries, modelFallbacks, modelRefusals, modelTokens];
    const generation = [queueTime, firstToken, responses, ...models];
    return [requests, operations, limitsHit.counter, ...generation];
  }
}
