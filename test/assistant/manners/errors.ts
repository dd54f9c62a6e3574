import type { GenerationErrorCode } from '../../../src/modules/responses/generation/processor.js';
import { rawAnswer } from '../../support/model/model-script.js';
import { always, bytes, events, hello, type Manner, status, stream } from './manner.js';

const limit = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.";

/** The same words as a status, as a body of a 200, as an object in a frame, as a text in a frame, and as the form of vLLM. */
const words: [string, GenerationErrorCode, number, { message: string; code?: string | number; type?: string }][] = [
  ['a wrong key', 'model_unauthorized', 401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' }],
  [
    'a spent quota',
    'model_quota_exceeded',
    429,
    {
      message: 'You exceeded your current quota, please check your plan and billing details.',
      code: 'insufficient_quota',
    },
  ],
  [
    'a rate limit',
    'model_rate_limited',
    429,
    { message: 'Rate limit reached for requests. Try again in 2s.', code: 'rate_limit_exceeded' },
  ],
  ['a full context', 'model_context_exceeded', 400, { message: limit, code: 'context_length_exceeded' }],
  [
    'a content filter',
    'model_content_filtered',
    400,
    { message: "The response was filtered by Azure OpenAI's content management policy.", code: 'content_filter' },
  ],
  ['an overload', 'model_unavailable', 503, { message: 'The server is overloaded.', type: 'server_error' }],
];

const passing = new Set<GenerationErrorCode>([
  'model_rate_limited',
  'model_unavailable',
  'model_timeout',
  'model_failed',
]);
const callsFor = (code: GenerationErrorCode) => (passing.has(code) ? 4 : 1);
const fails = (name: string, code: GenerationErrorCode, script: ReturnType<typeof status>): Manner => ({
  name,
  answers: always(script),
  code,
  calls: callsFor(code),
});
const form = (...failure: Parameters<typeof fails>): Manner => ({ ...fails(...failure), isForm: true });

const clothes = words.flatMap(([name, code, number, error]) => [
  fails(`${name}, as a status`, code, status(number, { error })),
  form(`${name}, as a body of a 200`, code, status(200, { error })),
  form(`${name}, as an object in a frame`, code, stream({ error })),
  form(`${name}, as a text in a frame`, code, stream({ error: error.message })),
  form(`${name}, nested`, code, stream({ error: { error } })),
  form(`${name}, as {"object":"error"}`, code, stream({ object: 'error', ...error })),
  form(`${name}, as {"detail"}`, code, status(number, { detail: error.message })),
  form(`${name}, as event: error`, code, bytes(`event: error\n${events(error)}`)),
  form(`${name}, as event: error with a text`, code, bytes(`event: error\ndata: ${error.message}\n\n`)),
]);

const gemini = (text: string) => [{ error: { code: 429, message: text, status: 'RESOURCE_EXHAUSTED' } }];

/** Errors in any clothes. */
export const errors: Manner[] = [
  ...clothes,
  form('402 Payment Required', 'model_quota_exceeded', status(402, { error: { message: 'Insufficient credits' } })),
  form(
    '429 that names billing',
    'model_quota_exceeded',
    status(429, { error: { message: 'Billing hard limit has been reached' } }),
  ),
  form(
    '429 with limit: 0',
    'model_quota_exceeded',
    status(429, gemini('Quota exceeded for metric: requests, limit: 0. Please retry in 30s.')),
  ),
  form(
    '429 with a quota of one minute',
    'model_rate_limited',
    status(429, gemini('Quota exceeded for requests per minute, limit: 15. Please retry in 30s.')),
  ),
  form('429 without a body', 'model_rate_limited', status(429, '')),
  form(
    '403 that names credit',
    'model_quota_exceeded',
    status(403, { error: { message: 'Your credit balance is too low.' } }),
  ),
  form('403', 'model_unauthorized', status(403, { error: { message: 'Forbidden' } })),
  form(
    '404 of an unknown model',
    'model_rejected_request',
    status(404, { error: { message: 'model "m" not found, try pulling it first' } }),
  ),
  form('an HTML page as a 502', 'model_unavailable', status(502, '<html><body>Bad Gateway</body></html>')),
  form('an HTML page as a 200', 'model_unavailable', [
    rawAnswer('<!doctype html><html>Sign in</html>', { type: 'text/html' }),
  ]),
  form('a status in the body', 'model_unavailable', status(200, { status: 503, message: 'Loading model' })),
  form(
    '503 while the model is loaded',
    'model_unavailable',
    status(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }),
  ),
  form('a code as a text', 'model_rate_limited', stream({ error: { message: 'slow down', code: '429' } })),
  form('504', 'model_timeout', status(504, 'upstream request timeout')),
  form(
    'a list with an error',
    'model_unavailable',
    status(200, [{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }]),
  ),
  {
    name: 'an overload after text, once',
    answers: [stream(hello, { error: { message: 'overloaded', code: 503 } })],
    text: 'Again.',
    calls: 2,
  },
  {
    name: 'a wrong key after text',
    answers: always(stream(hello, { error: { message: 'key expired', code: 401 } })),
    text: 'Hello',
    code: 'model_unauthorized',
  },
];
