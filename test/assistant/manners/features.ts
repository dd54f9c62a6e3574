import { again, always, cut, type Manner, manner, status, stream } from './manner.js';

const extra = { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' };
const vllm = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
const gemma = 'Developer instruction is not enabled for models/gemma-3-27b-it';
const jinja = { code: 500, type: 'server_error' };
const alternate = 'alternate user/assistant/user/assistant/...';
const saying = (message: string, more: object = {}) => ({ error: { message, ...more } });

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
