/**
 * Codes and messages for errors of AI models. Messages are safe to show to callers. The provider's own error, which may
 * contain URLs, keys or parts of the prompt, becomes `cause`, which is only logged.
 */
import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  TypeValidationError,
} from '@ai-sdk/provider';
import type { ModelErrorCode } from '../modules/responses/generation/processor.js';
import { GenerationError } from '../modules/responses/generation/processor.js';
import { codeOfRequestFault, codeOfStreamFault, isUnreachable } from './provider-errors.js';
import { retryAfterMs } from './retry-after.js';

interface Fault {
  message: string;
  retryable: boolean;
}

const faults: Record<ModelErrorCode, Fault> = {
  model_rate_limited: { message: 'The AI model is receiving too many requests.', retryable: true },
  model_quota_exceeded: { message: 'The quota for the AI model is used up.', retryable: false },
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

/** Creates the error for a code, with its message and whether a retry may help. `cause` is only logged. */
export function generationFault(
  code: ModelErrorCode,
  options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): GenerationError {
  const { message, retryable } = faults[code];
  return new GenerationError(code, message, { retryable, wasReceived: !isUnreachable(options.cause), ...options });
}

/** Maps any error that the AI SDK throws or puts into its stream. */
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

/** Finds our own error inside an SDK error: limits on the response body surface as errors of its stream. */
function generationErrorIn(error: unknown): GenerationError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof GenerationError) return cause;
  }
  return null;
}

/** Removes the request, which contains the conversation, from the SDK's error before it is logged. */
function withoutPrompt(error: APICallError): APICallError {
  const { message, url, statusCode, responseHeaders, responseBody, cause } = error;
  const answer = statusCode === undefined ? {} : { statusCode };
  const headers = responseHeaders === undefined ? {} : { responseHeaders };
  const body = responseBody === undefined ? {} : { responseBody };
  return new APICallError({ message, url, requestBodyValues: undefined, cause, ...answer, ...headers, ...body });
}

function codeOf(error: unknown): ModelErrorCode {
  if (LoadAPIKeyError.isInstance(error)) return 'model_unauthorized';
  // Without `data`, the SDK reports a truncated stream this way; with `data`, an invalid frame.
  if (InvalidResponseDataError.isInstance(error) && error.data === undefined) return 'model_connection_lost';
  const unreadable = [JSONParseError, TypeValidationError, InvalidResponseDataError];
  if (unreadable.some((kind) => kind.isInstance(error))) return 'model_invalid_output';
  return error instanceof Error ? 'model_failed' : codeOfStreamFault(error);
}
