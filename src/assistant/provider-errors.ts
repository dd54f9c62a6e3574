/**
 * Classifies errors of providers by status, network code and, because servers share statuses among unlike errors, by the
 * wording of the message. The wording is never shown.
 */
import { APICallError } from '@ai-sdk/provider';
import type { ModelErrorCode } from '../modules/responses/generation/processor.js';

const contextWords = [
  /context[\s_-]*(length|window|size|limit)/i,
  /(input|prompt|request|message)s?[\w\s]{0,200}too (long|large)/i,
  /max(imum)? (allowed )?(input|prompt) length|range of input length|max_seq_len/i,
  /maximum number of (input )?tokens|max tokens allowed|token limit exceeded|tokens?[\w\s]{0,40}exceeds? the limit/i,
  // "Too many tokens per minute" and "Too many tokens, please wait" are of a rate.
  /too many (input |prompt )?tokens(?! per|[^a-z]{1,3}please wait)/i,
  /tokens`?[^.]{0,60}must be <=|must have less than \d+ tokens|reduce the length/i,
  /(longer|larger) than the (model|maximum)|exceeds?[\w\s]{0,60}(token limit|max_model_len|n_ctx|max length)/i,
];
const filterWords =
  /content[\s_-]*(filter|policy|management)|responsible ?ai|moderation|prohibited[\s_-]content|safety (system|filter|settings)/i;
const quotaWords =
  /quota|billing|arrear|recharge|余额不足|欠费|insufficient[\s_-]*(funds|balance|credits?)|(credit|balance)[\w\s]{0,40}(too low|exhausted|insufficient|depleted)|out of credits?|payment required|limit: 0\b/i;
/** What says that a quota is one of a minute, and open again soon. */
const shortWords = /retry[\s_-]?(delay|in|after)|per[\s_-]?(minute|second)|\b[rt]pm\b/i;
const noQuotaWords = /limit: 0\b/i;
const rateWords =
  /rate[\s_-]*limit|too many (requests|tokens)|throttl|resource[\s_-]*exhausted|\b(tokens|requests) per (minute|day)/i;
const keyWords =
  /authentication|invalid[\w\s]{0,20}(api[\s_-]*)?key|(api[\s_-]*)?key[\w\s]{0,20}(not valid|invalid|incorrect|missing|expired)|incorrect api[\s_-]*key|permission[\s_-]*(denied|error)|unauthori[sz]ed|unauthenticated/i;
const timeoutWords = /timed?[\s_-]*out|deadline[\s_-]*exceeded/i;

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
export function codeOfRequestFault(error: APICallError): ModelErrorCode {
  const status = error.statusCode;
  if (status !== undefined && status >= 300) return codeOfStatus(status, wordsIn(error));
  return codeOfNetworkFault(error);
}

/** The code for a connection that failed or was cut. */
export function codeOfNetworkFault(error: unknown): ModelErrorCode {
  const code = networkCode(error);
  if (code !== undefined && timeoutCodes.has(code)) return 'model_timeout';
  return isUnreachable(error) ? 'model_unavailable' : 'model_connection_lost';
}

/** Whether no server has had the request. */
export function isUnreachable(error: unknown): boolean {
  const code = networkCode(error);
  return code !== undefined && unreachableCodes.has(code);
}

/**
 * The code for an error object within an answer that began with status 200. Unless the object tells otherwise, the server had
 * accepted the request and then failed.
 */
export function codeOfStreamFault(error: unknown): ModelErrorCode {
  const status = statusIn(error);
  const words = wordsIn(error);
  if (status !== undefined && status >= 400) return codeOfStatus(status, words);
  return (
    codeOfWords(words) ??
    (/invalid_?request|bad_?request|unsupported|not supported/i.test(words)
      ? 'model_rejected_request'
      : 'model_unavailable')
  );
}

/** Statuses that say it all. */
const codesOfStatus = new Map<number, ModelErrorCode>([
  [401, 'model_unauthorized'],
  [402, 'model_quota_exceeded'],
  [408, 'model_timeout'],
  [413, 'model_context_exceeded'],
  [504, 'model_timeout'],
]);

function codeOfStatus(status: number, words: string): ModelErrorCode {
  const known = codesOfStatus.get(status);
  if (known) return known;
  if (status === 429) return isSpent(words) ? 'model_quota_exceeded' : 'model_rate_limited';
  const told = codeOfWords(words);
  if (status === 403)
    return told === 'model_content_filtered' || told === 'model_quota_exceeded' ? told : 'model_unauthorized';
  if (told !== undefined && (status < 500 || told !== 'model_timeout')) return told;
  return status === 409 || status === 425 || status >= 500 ? 'model_unavailable' : 'model_rejected_request';
}

function codeOfWords(words: string): ModelErrorCode | undefined {
  if (contextWords.some((pattern) => pattern.test(words))) return 'model_context_exceeded';
  if (isSpent(words)) return 'model_quota_exceeded';
  if (rateWords.test(words) || quotaWords.test(words)) return 'model_rate_limited';
  if (keyWords.test(words)) return 'model_unauthorized';
  if (filterWords.test(words)) return 'model_content_filtered';
  return timeoutWords.test(words) ? 'model_timeout' : undefined;
}

function isSpent(words: string): boolean {
  return noQuotaWords.test(words) || (quotaWords.test(words) && !shortWords.test(words));
}

/** The status that an error carries, its own or that in its body; undefined if it has none. */
export function statusIn(error: unknown, depth = 0): number | undefined {
  if (depth > 3 || typeof error !== 'object' || error === null) return undefined;
  for (const name of ['statusCode', 'status', 'status_code', 'http_status', 'code']) {
    const status = Number(field(error, name));
    if (Number.isInteger(status) && status >= 300 && status < 600) return status;
  }
  const inner = field(error, 'error');
  return inner === undefined ? undefined : statusIn(inner, depth + 1);
}

/** What comes later says nothing more, and each look for words would read it again. */
const longestWords = 10_000;

/** What an error says. */
export function wordsIn(error: unknown): string {
  return allWordsIn(error).slice(0, longestWords);
}

function allWordsIn(error: unknown): string {
  if (APICallError.isInstance(error)) {
    const { message, responseBody = '' } = error;
    return responseBody.startsWith(message) ? responseBody : `${message} ${responseBody}`;
  }
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? '');
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
