/**
 * The interface between the domain and AI models, implemented in `src/assistant`. A processor hands on the output of the
 * model in order, each event within the call in which it was read, and reports every error as a `GenerationError` whose
 * message is safe to show to callers; messages of providers never pass.
 */
import type { Logger } from 'pino';
import type { Principal } from '../../../platform/fairness/principal.js';
import type { ContentBlock } from '../../messages/content.js';
import type { CallBudget } from './call-budget.js';

export interface ConversationMessage {
  role: 'user' | 'assistant' | 'summary';
  contents: ContentBlock[];
}

export type GenerationEvent =
  | { type: 'text'; text: string }
  /** `hiddenBytes`: bytes that are not shown, such as partial tool input. They count towards the limits. */
  | { type: 'thinking'; text: string; hiddenBytes?: number }
  | { type: 'choice'; toolUseId: string; question: string; choices: string[] }
  | { type: 'usage'; inputTokens: number | null; outputTokens: number | null }
  /** The model reached the maximum length of its answer. */
  | { type: 'truncated' }
  /** Stops or continues the model's clock: waiting for a turn does not count as silence. */
  | { type: 'clock'; isRunning: boolean };

export type Usage = Extract<GenerationEvent, { type: 'usage' }>;

/** The events that an attempt consists of. */
export type SpokenEvent = Exclude<GenerationEvent, { type: 'clock' }>;

export interface GenerateOptions {
  conversation: ConversationMessage[];
  /** What the model is told for this conversation, after the instructions of the operator. */
  instructions?: string | null;
  /** The user and organization; requested only for shared resources. */
  principal?: () => Promise<Principal>;
  /** Further headers of the requests to the provider. */
  headers?: Record<string, string>;
  /** Called with the id that the provider gave to the request, for the log. */
  onRequestId?: (id: string) => void;
  /** Called with what a summary or a name took, if the provider reports it; a response yields it as an event. */
  onUsage?: (usage: Pick<Usage, 'inputTokens' | 'outputTokens'>) => void;
  /** Counts the calls of the model; without it, any number is allowed. */
  calls?: CallBudget;
  /** Where to tell what the model did that was odd, but not wrong. */
  logger?: Pick<Logger, 'warn'>;
  /** Aborting it must close the connection to the provider. */
  signal: AbortSignal;
}

/** Takes what a model says. What it throws ends the call of the model, and is thrown there. */
export type TakeEvent<Event = GenerationEvent> = (event: Event) => void;

export interface Processor {
  /** The value of `AI_MODEL`; stored with each response. */
  readonly model: string;
  generate(options: GenerateOptions, take: TakeEvent): Promise<void>;
  /** Summarizes the conversation for the model's own use. Throws a GenerationError if the summary is empty. */
  summarize(options: GenerateOptions): Promise<string>;
  /** Names the conversation in a few words. Throws a GenerationError if the name is empty. */
  name(options: GenerateOptions): Promise<string>;
}

export const generationErrorCodes = [
  'model_rate_limited',
  'model_quota_exceeded',
  'model_unavailable',
  'model_timeout',
  'model_connection_lost',
  'model_rejected_request',
  'model_unauthorized',
  'model_content_filtered',
  'model_context_exceeded',
  'model_empty_response',
  'model_invalid_output',
  'model_output_too_large',
  'model_failed',
] as const;
export type ModelErrorCode = (typeof generationErrorCodes)[number];
/** The last one is of no model: a budget was used up before the model was called. */
export type GenerationErrorCode = ModelErrorCode | 'budget_exceeded';

/** The code of an error, for metrics and traces. */
export function errorCodeOf(error: unknown): GenerationErrorCode | 'defect' {
  return error instanceof GenerationError ? error.code : 'defect';
}

export class GenerationError extends Error {
  readonly code: GenerationErrorCode;
  /** Whether a retry may help. The worker retries within its limits on attempts and time. */
  readonly retryable: boolean;
  /** The delay that the provider requested, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether a server had the request; otherwise the call cost nothing. */
  readonly wasReceived: boolean;

  /** `message` is shown to callers; the provider's own error becomes `cause`, which is only logged. */
  constructor(
    code: GenerationErrorCode,
    message: string,
    options: { retryable: boolean; retryAfterMs?: number | undefined; wasReceived?: boolean; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.name = 'GenerationError';
    this.code = code;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.wasReceived = options.wasReceived ?? true;
  }
}
