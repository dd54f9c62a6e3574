import { again, always, type Manner, status, stream } from './manner.js';

const refused: [string, ReturnType<typeof status>][] = [
  [
    '500 tools param requires --jinja flag',
    status(500, { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } }),
  ],
  ['501', status(501, { error: { message: 'Not implemented' } })],
  [
    '400 Function calling is not enabled',
    status(400, { error: { message: 'Function calling is not enabled for models/gemma-3-27b-it' } }),
  ],
  [
    '400 does not support tools',
    status(400, { error: { message: 'registry.ollama.ai/library/gemma:2b does not support tools' } }),
  ],
  [
    '400 of vLLM',
    status(400, {
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      code: 400,
    }),
  ],
  [
    '404 No endpoints found that support tool use',
    status(404, { error: { message: 'No endpoints found that support tool use.', code: 404 } }),
  ],
  [
    'an error inside of a 200 that names tools',
    stream({ error: { message: 'tools are not supported by this model', code: 400 } }),
  ],
  [
    '422 extra_forbidden',
    status(422, {
      detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
    }),
  ],
  ['400 unrecognized', status(400, { error: { message: 'Unrecognized request argument supplied: stream_options' } })],
  ['400 System role not supported', status(400, { error: { message: 'System role not supported' } })],
  [
    '500 of a template that knows no system role',
    status(500, { error: { message: 'Conversation roles must alternate user/assistant/user/assistant/...' } }),
  ],
  [
    '400 Developer instruction is not enabled',
    status(400, [{ error: { code: 400, message: 'Developer instruction is not enabled for models/gemma-3-27b-it' } }]),
  ],
  ['a plain 500', status(500, { error: { message: 'Internal Server Error' } })],
  ['a plain 500 without a body', status(500, '')],
];

/** Features that a server refuses, each by a model that was never called before. */
export const features: Manner[] = [
  ...refused.map(([name, script]): Manner => ({ name, answers: [script], text: 'Again.', calls: 2, isFirst: true })),
  {
    name: 'tools, then stream_options',
    answers: [status(400, { error: { message: 'tools' } }), status(400, { error: { message: 'stream_options' } })],
    text: 'Again.',
    calls: 3,
    isFirst: true,
  },
  {
    name: 'one after the other, to the last call',
    answers: [
      status(400, { error: { message: 'stream_options' } }),
      status(400, { error: { message: 'system role' } }),
      status(400, { error: { message: 'tools' } }),
      again,
    ],
    text: 'Again.',
    calls: 4,
    isFirst: true,
  },
  {
    name: 'a plain 500 for ever',
    answers: always(status(500, '')),
    code: 'model_unavailable',
    calls: 4,
    isFirst: true,
  },
  { name: 'a plain 503 to the first request', answers: [status(503, '')], text: 'Again.', calls: 2, isFirst: true },
  {
    name: 'a refusal of tools for ever',
    answers: always(status(400, { error: { message: 'no tools' } })),
    code: 'model_rejected_request',
    calls: 2,
    isFirst: true,
  },
];
