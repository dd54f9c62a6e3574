/**
 * Classifies errors of providers by status, network code and, if several errors share a status, by the wording of the
 * message. The wording is never shown.
 */
import type { APICallError } from '@ai-sdk/provider';
import type { GenerationErrorCode } from '../modules/responses/generation/processor.js';

const contextWords =
  /context[\s_-]*(length|window|size|limit)|prompt is too long|(input|prompt|request)[\w\s]{0,200}too (long|large)|maximum number of tokens|too many (input )?tokens/i;
const filterWords = /content[\s_-]*(filter|policy|management)|responsible ?ai|moderation/i;
const limitWords = /rate[\s_-]*limit|quota|too many requests/i;
const keyWords = /authentication|api[\s_-]*key|permission|unauthorized/i;

const timeoutCodes = new Set(['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The code for a failed call: by its HTTP status, or by the network error if there was no complete response. */
export function codeOfRequestFault(error: APICallError): GenerationErrorCode {
  const status = error.statusCode;
  if (status !== undefined && status >= 400)
    return codeOfStatus(status, `${error.message} ${error.responseBody ?? ''}`);
  const code = networkCode(error);
  if (code !== undefined && timeoutCodes.has(code)) return 'model_timeout';
  return code !== undefined && unreachableCodes.has(code) ? 'model_unavailable' : 'model_connection_lost';
}

/**
 * The code for an error object within a stream. Unless the object tells otherwise, the provider had accepted the
 * request and then failed.
 */
export function codeOfStreamFault(error: unknown): GenerationErrorCode {
  const status = [field(error, 'statusCode'), field(error, 'code')].find((value) => typeof value === 'number');
  const words = JSON.stringify(error) ?? '';
  if (typeof status === 'number' && status >= 400) return codeOfStatus(status, words);
  if (limitWords.test(words)) return 'model_rate_limited';
  if (keyWords.test(words)) return 'model_unauthorized';
  return codeOfRefusal(words) ?? 'model_unavailable';
}

function codeOfStatus(status: number, words: string): GenerationErrorCode {
  if (status === 429) return 'model_rate_limited';
  if (status === 408 || status === 504) return 'model_timeout';
  if (status === 409 || status === 425 || status >= 500) return 'model_unavailable';
  if (status === 413) return 'model_context_exceeded';
  const refusal = codeOfRefusal(words);
  if (refusal !== undefined) return refusal;
  // 402: the account has no credit left.
  return status === 401 || status === 402 || status === 403 ? 'model_unauthorized' : 'model_rejected_request';
}

function codeOfRefusal(words: string): GenerationErrorCode | undefined {
  if (contextWords.test(words)) return 'model_context_exceeded';
  return filterWords.test(words) ? 'model_content_filtered' : undefined;
}

/** The first system or undici code in the chain of causes. */
function networkCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code = field(current, 'code');
    if (typeof code === 'string') return code;
  }
  return undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
