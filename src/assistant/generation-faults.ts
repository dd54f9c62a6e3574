/**
 * Our own error codes and sentences for what goes wrong with an AI model. A sentence is safe to show to callers; the
 * provider's own error, which may hold addresses, keys or parts of the prompt, goes into `cause`, for the log alone.
 */
import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  TypeValidationError,
} from '@ai-sdk/provider';
import type { GenerationErrorCode } from '../modules/responses/generation/processor.js';
import { GenerationError } from '../modules/responses/generation/processor.js';
import { codeOfRequestFault, codeOfStreamFault } from './provider-errors.js';
import { retryAfterMs } from './retry-after.js';

interface Fault {
  message: string;
  retryable: boolean;
}

const faults: Record<GenerationErrorCode, Fault> = {
  model_rate_limited: { message: 'The AI model is receiving too many requests.', retryable: true },
  model_unavailable: { message: 'The AI model is unavailable.', retryable: true },
  model_timeout: { message: 'The AI model took too long to respond.', retryable: true },
  model_connection_lost: { message: 'The connection to the AI model was lost.', retryable: true },
  model_empty_response: { message: 'The AI model returned an empty response.', retryable: true },
  model_invalid_output: { message: 'The AI model returned an invalid response.', retryable: true },
  model_failed: { message: 'The AI model failed.', retryable: true },
  model_rejected_request: { message: 'The AI model rejected the request.', retryable: false },
  model_unauthorized: { message: 'This service is not allowed to use the AI model.', retryable: false },
  model_content_filtered: { message: 'The content filter of the AI model blocked the response.', retryable: false },
  model_context_exceeded: { message: 'The conversation is too long for the AI model.', retryable: false },
  model_output_too_large: { message: 'The response of the AI model is too large.', retryable: false },
};

/** The error for a code, with its sentence and whether a retry may help. `cause` is for the log. */
export function generationFault(
  code: GenerationErrorCode,
  options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): GenerationError {
  const { message, retryable } = faults[code];
  return new GenerationError(code, message, { retryable, ...options });
}

/** Maps whatever the AI SDK threw or put into its stream. */
export function toGenerationError(error: unknown): GenerationError {
  const known = generationErrorIn(error);
  if (known) return known;
  if (APICallError.isInstance(error)) {
    return generationFault(codeOfRequestFault(error), {
      cause: withoutPrompt(error),
      retryAfterMs: retryAfterMs(error.responseHeaders, Date.now()),
    });
  }
  return generationFault(codeOf(error), { cause: error });
}

/** Our own, also where the SDK has wrapped it: what ended the body of an answer is an error of its stream. */
function generationErrorIn(error: unknown): GenerationError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof GenerationError) return cause;
  }
  return null;
}

/** The SDK keeps the whole request in its error; a conversation has no place in a log. */
function withoutPrompt(error: APICallError): APICallError {
  const { message, url, statusCode, responseHeaders, responseBody, cause } = error;
  const answer = statusCode === undefined ? {} : { statusCode };
  const headers = responseHeaders === undefined ? {} : { responseHeaders };
  const body = responseBody === undefined ? {} : { responseBody };
  return new APICallError({ message, url, requestBodyValues: undefined, cause, ...answer, ...headers, ...body });
}

function codeOf(error: unknown): GenerationErrorCode {
  if (LoadAPIKeyError.isInstance(error)) return 'model_unauthorized';
  // So the SDK ends a cut stream; with `data`, it is about a frame that makes no sense.
  if (InvalidResponseDataError.isInstance(error) && error.data === undefined) return 'model_connection_lost';
  const unreadable = [JSONParseError, TypeValidationError, InvalidResponseDataError];
  if (unreadable.some((kind) => kind.isInstance(error))) return 'model_invalid_output';
  return error instanceof Error ? 'model_failed' : codeOfStreamFault(error);
}
