import type { GenerationErrorCode } from '../../../src/modules/responses/generation/processor.js';
import { type ModelScript, rawAnswer } from '../../support/model/model-script.js';
import {
  again,
  always,
  asForm,
  bytes,
  cut,
  done,
  events,
  hello,
  type Manner,
  manner,
  status,
  stream,
} from './manner.js';

const limit = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.";
const spent = 'You exceeded your current quota, please check your plan and billing details.';
const rate = 'Rate limit reached for requests. Try again in 2s.';
const filter = "The response was filtered by Azure OpenAI's content management policy.";

/** The same words as a status, as a body of a 200, as an object in a frame, as a text in a frame, and as the form of vLLM. */
const words: [string, GenerationErrorCode, number, { message: string; code?: string | number; type?: string }][] = [
  ['a wrong key', 'model_unauthorized', 401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' }],
  ['a spent quota', 'model_quota_exceeded', 429, { message: spent, code: 'insufficient_quota' }],
  ['a rate limit', 'model_rate_limited', 429, { message: rate, code: 'rate_limit_exceeded' }],
  ['a full context', 'model_context_exceeded', 400, { message: limit, code: 'context_length_exceeded' }],
  ['a content filter', 'model_content_filtered', 400, { message: filter, code: 'content_filter' }],
  ['an overload', 'model_unavailable', 503, { message: 'The server is overloaded.', type: 'server_error' }],
];

const passing: readonly GenerationErrorCode[] = [
  'model_rate_limited',
  'model_unavailable',
  'model_timeout',
  'model_failed',
];
const fails = (name: string, code: GenerationErrorCode, script: ModelScript) =>
  manner(name, { code, calls: passing.includes(code) ? 4 : 1 }, ...always(script));

const clothes = words.flatMap(([name, code, number, error]) => {
  const forms: [string, ModelScript][] = [
    ['as a body of a 200', status(200, { error })],
    ['as an object in a frame', stream({ error })],
    ['as a text in a frame', stream({ error: error.message })],
    ['nested', stream({ error: { error } })],
    // OpenRouter.
    ['within the choice', stream({ choices: [{ delta: { content: '' }, finish_reason: 'error', error }] })],
    ['as {"object":"error"}', stream({ object: 'error', ...error })],
    ['as {"type":"error"}', stream({ ...error, type: 'error' })],
    ['as {"detail"}', status(number, { detail: error.message })],
    ['as {"detail"} in a frame', stream({ detail: error.message })],
    ['as {"errors"} in a frame', stream({ errors: [error] })],
    ['as event: error', bytes(`event: error\n${events(error)}`)],
    // llama.cpp until September 2025.
    ['as a field called error', bytes(`error: ${JSON.stringify(error)}\n\n${events(done)}`)],
    ['as event: error with a text', bytes(`event: error\ndata: ${error.message}\n\n`)],
  ];
  const whole = fails(`${name}, as a status`, code, status(number, { error }));
  return [whole, ...forms.map(([how, script]) => asForm(fails(`${name}, ${how}`, code, script)))];
});

const saying = (message: string, more: object = {}) => ({ error: { message, ...more } });
const gemini = (message: string) => [{ error: { code: 429, message, status: 'RESOURCE_EXHAUSTED' } }];
const away = [{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }];
const loading = { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } };
const page = rawAnswer('\n<!doctype html><html>Sign in</html>', { type: 'text/html' });

const others: [name: string, code: GenerationErrorCode, script: ModelScript][] = [
  ['402 Payment Required', 'model_quota_exceeded', status(402, saying('Insufficient credits'))],
  ['429 that names billing', 'model_quota_exceeded', status(429, saying('Billing hard limit has been reached'))],
  [
    '429 with limit: 0',
    'model_quota_exceeded',
    status(429, gemini('Quota exceeded for metric: requests, limit: 0. Please retry in 30s.')),
  ],
  [
    '429 with a quota of one minute',
    'model_rate_limited',
    status(429, gemini('Quota exceeded for requests per minute, limit: 15. Please retry in 30s.')),
  ],
  ['429 without a body', 'model_rate_limited', status(429, '')],
  ['403 that names credit', 'model_quota_exceeded', status(403, saying('Your credit balance is too low.'))],
  ['403', 'model_unauthorized', status(403, saying('Forbidden'))],
  [
    '404 of an unknown model',
    'model_rejected_request',
    status(404, saying('model "m" not found, try pulling it first')),
  ],
  ['an HTML page as a 502', 'model_unavailable', status(502, '<html><body>Bad Gateway</body></html>')],
  ['an HTML page as a 200', 'model_unavailable', [page]],
  ['a status in the body', 'model_unavailable', status(200, { status: 503, message: 'Loading model' })],
  ['503 while the model is loaded', 'model_unavailable', status(503, loading)],
  ['a code as a text', 'model_rate_limited', stream(saying('slow down', { code: '429' }))],
  ['504', 'model_timeout', status(504, 'upstream request timeout')],
  ['a list with an error', 'model_unavailable', status(200, away)],
  ['an error that says no more', 'model_unavailable', stream({ error: true })],
];

/** Errors in any clothes. */
export const errors: Manner[] = [
  ...clothes,
  ...others.map((one) => asForm(fails(...one))),
  manner('an overload after text, once', cut, stream(hello, saying('overloaded', { code: 503 }))),
  manner(
    'a wrong key after text',
    { text: 'Hello', code: 'model_unauthorized' },
    ...always(stream(hello, saying('key expired', { code: 401 }))),
  ),
];

const extra = { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' };
const vllm = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
const gemma = 'Developer instruction is not enabled for models/gemma-3-27b-it';
const jinja = { code: 500, type: 'server_error' };
const alternate = 'alternate user/assistant/user/assistant/...';

const refused: [name: string, code: number, body: object | string][] = [
  ['500 tools param requires --jinja flag', 500, saying('tools param requires --jinja flag', jinja)],
  ['501', 501, saying('Not implemented')],
  ['400 Function calling is not enabled', 400, saying('Function calling is not enabled for models/gemma-3-27b-it')],
  ['400 does not support tools', 400, saying('registry.ollama.ai/library/gemma:2b does not support tools')],
  ['400 of vLLM', 400, { object: 'error', message: vllm, code: 400 }],
  ['404 No endpoints found', 404, saying('No endpoints found that support tool use.', { code: 404 })],
  ['422 extra_forbidden', 422, { detail: [extra] }],
  ['400 unrecognized', 400, saying('Unrecognized request argument supplied: stream_options')],
  ['400 System role not supported', 400, saying('System role not supported')],
  ['500 of a template that knows no system role', 500, saying(`Conversation roles must ${alternate}`)],
  ['400 Developer instruction is not enabled', 400, [saying(gemma, { code: 400 })]],
  ['a plain 500', 500, saying('Internal Server Error')],
  ['a plain 500 without a body', 500, ''],
];
const without = (words: string) => status(400, saying(words));

/** Features that a server refuses, each by a model that was never called before. */
export const features: Manner[] = [
  ...refused.map(([name, code, body]) => manner(name, cut, status(code, body))),
  manner(
    'an error inside of a 200 that names tools',
    cut,
    stream(saying('tools are not supported by this model', { code: 400 })),
  ),
  manner('tools, then stream_options', { ...cut, calls: 3 }, without('tools'), without('stream_options')),
  manner(
    'one after the other, to the last call',
    { ...cut, calls: 4 },
    ...[...['stream_options', 'system role', 'tools'].map(without), again],
  ),
  manner('a plain 500 for ever', { code: 'model_unavailable', calls: 4 }, ...always(status(500, ''))),
  manner('a plain 503 to the first request', cut, status(503, '')),
  manner('a refusal of tools for ever', { code: 'model_rejected_request', calls: 2 }, ...always(without('no tools'))),
].map((one) => ({ ...one, isFirst: true }));
