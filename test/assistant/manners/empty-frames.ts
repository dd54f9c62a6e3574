import { bytes, chunk, done, events, hello, type Manner, say, status, stop, stream } from './manner.js';

const whole = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
};
const [hel, lo] = [say('Hel'), say('lo')];

const nothing: [string, object | string][] = [
  ['usage without choices', { usage: { prompt_tokens: 1, completion_tokens: 2 } }],
  ['choices that are null', { choices: null }],
  ['choices that are empty', { choices: [] }],
  ['choices that are no list', { choices: 'none' }],
  ['null', 'null'],
  ['an empty object', '{}'],
  ['an empty data line', ''],
  ['a ping', { type: 'ping' }],
  ['a comment inside of data', ': OPENROUTER PROCESSING'],
  ['a cost object', { cost: { total: 0.1 }, provider: 'x' }],
  ['an error that is null', chunk({}, null, { error: null })],
  ['numbers where strings belong', { ...chunk({ role: 'assistant' }), id: 7, model: 3, created: 'now' }],
  [
    'strings where numbers belong',
    { ...chunk({}), usage: { prompt_tokens: '12', completion_tokens: 'many' }, created: 'now' },
  ],
  ['the role model', chunk({ role: 'model' })],
  ['a delta that is null', { choices: [{ index: 0, delta: null, finish_reason: null }] }],
  ['content that is null', chunk({ content: null })],
  ['content that is empty', chunk({ content: '' })],
  ['a choice that is null', { choices: [null] }],
  ['tool calls that are null', chunk({ tool_calls: null, function_call: null })],
  [
    'results of a content filter',
    { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
  ],
  ['a list', '[]'],
  ['an empty error', { ...chunk({}), error: '' }],
];

const anywhere = nothing.flatMap(([name, frame]): Manner[] => [
  { name: `${name}, before text`, answers: [stream(frame, hello, stop, done)], text: 'Hello', isForm: true },
  { name: `${name}, between text`, answers: [stream(hel, frame, lo, stop, done)], text: 'Hello', isForm: true },
  { name: `${name}, after text`, answers: [stream(hello, frame, stop, frame, done)], text: 'Hello', isForm: true },
]);

/** A whole answer, written in other ways. */
const forms: Manner[] = [
  {
    name: 'message in place of delta',
    answers: [stream({ choices: [{ message: { content: 'Hello' } }] }, stop, done)],
    text: 'Hello',
  },
  {
    name: 'the whole message again at the end',
    answers: [stream(hel, lo, { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] })],
    text: 'Hello',
  },
  { name: 'a body of JSON with the whole answer', answers: [status(200, whole)], text: 'Hello' },
  { name: 'a body of JSON on many lines', answers: [status(200, JSON.stringify(whole, null, 2))], text: 'Hello' },
  { name: 'a whole answer in one event', answers: [stream(whole)], text: 'Hello' },
  {
    name: 'content as a list of parts',
    answers: [
      stream(
        chunk({
          content: [
            { type: 'text', text: 'Hel' },
            { type: 'text', text: 'lo' },
          ],
        }),
        stop,
      ),
    ],
    text: 'Hello',
  },
  {
    name: 'names of events, ids and times to retry',
    answers: [bytes(events(hello, stop, done).replaceAll('data:', 'event: chunk\nid: 1\nretry: 5\ndata:'))],
    text: 'Hello',
  },
  {
    name: 'comments between events',
    answers: [bytes(`: hi\n\n${events(hel)}: ping\n${events(lo)}:\n\n${events(stop)}`)],
    text: 'Hello',
  },
  {
    name: 'data on two lines',
    answers: [bytes(`data: {"choices": [{"delta":\ndata: {"content": "Hello"}}]}\n\n${events(stop, done)}`)],
    text: 'Hello',
  },
];

/** Frames that carry nothing, and frames that nobody can read. */
export const emptyFrames: Manner[] = [
  ...anywhere,
  { name: 'one unreadable frame before text', answers: [stream('{"choi', hello, stop, done)], text: 'Hello' },
  { name: 'one unreadable frame between text', answers: [stream(hel, 'oops', lo, stop, done)], text: 'Hello' },
  { name: 'one unreadable frame after text', answers: [stream(hello, '<html>', stop, done)], text: 'Hello' },
  {
    name: 'one unreadable frame, then the end of the connection',
    answers: [stream(hello, '{"cho')],
    text: 'Again.',
    calls: 2,
  },
  {
    name: 'nothing but unreadable frames, twice',
    answers: [stream('{"a', 'b}'), stream('{"a', 'b}')],
    code: 'model_invalid_output',
    calls: 2,
  },
  { name: 'nothing but unreadable frames, once', answers: [stream('{"a', 'b}')], text: 'Again.', calls: 2 },
  ...forms.map((manner) => ({ ...manner, isForm: true })),
];
