/**
 * The boundary between the domain and an AI model. The worker knows only this file; `src/assistant` implements it.
 * A processor yields what the model says in order, and reports every fault as a `GenerationError` whose message is
 * safe to show to a caller: a provider's own words never pass this line.
 */
import type { Party } from '../../../fairness/party.js';
import type { ContentBlock } from '../../messages/content.js';

export interface ConversationMessage {
  role: 'user' | 'assistant' | 'summary';
  contents: ContentBlock[];
}

export type GenerationEvent =
  | { type: 'text'; text: string }
  /** `hiddenBytes`: of what nobody is shown, such as a tool's input while it comes. They count like those of a text. */
  | { type: 'thinking'; text: string; hiddenBytes?: number }
  | { type: 'choice'; toolUseId: string; question: string; choices: string[] }
  | { type: 'usage'; inputTokens: number | null; outputTokens: number | null }
  /** Nothing is asked of the model from here on, or it is asked now: waiting for a turn is not the model's silence. */
  | { type: 'clock'; isRunning: boolean };

/** What an attempt is made of. */
export type SpokenEvent = Exclude<GenerationEvent, { type: 'clock' }>;

export interface GenerateOptions {
  conversation: ConversationMessage[];
  /** On whose behalf; asked only where the response has to share something with others. */
  party?: () => Promise<Party>;
  /** Aborting it must close the connection to the provider. */
  signal: AbortSignal;
}

export interface Processor {
  /** The configured name, as `AI_MODEL` has it; stored with each response. */
  readonly model: string;
  generate(options: GenerateOptions): AsyncIterable<GenerationEvent>;
  /** A summary of the conversation for the model's own later use. Throws a GenerationError when it comes out empty. */
  summarize(options: GenerateOptions): Promise<string>;
}

export const generationErrorCodes = [
  'model_rate_limited',
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
export type GenerationErrorCode = (typeof generationErrorCodes)[number];

export class GenerationError extends Error {
  readonly code: GenerationErrorCode;
  /** True for a fault that may pass: the worker tries again within its attempt and deadline limits. */
  readonly retryable: boolean;
  /** What the provider asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  /** `message` is shown to callers; the provider's own error goes into `cause`, for the log alone. */
  constructor(
    code: GenerationErrorCode,
    message: string,
    options: { retryable: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.name = 'GenerationError';
    this.code = code;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}
