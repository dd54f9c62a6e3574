import {
  asForm,
  bytes,
  chunk,
  cut,
  done,
  events,
  hello,
  type Manner,
  manner,
  say,
  status,
  stop,
  stream,
} from './manner.js';

const whole = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
};
const [hel, lo] = [say('Hel'), say('lo')];
const strings = { prompt_tokens: '12', completion_tokens: 'many' };

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
  ['strings where numbers belong', { ...chunk({}), usage: strings, created: 'now' }],
  ['the role model', chunk({ role: 'model' })],
  ['a delta that is null', { choices: [{ index: 0, delta: null, finish_reason: null }] }],
  ['content that is null', chunk({ content: null })],
  ['content that is empty', chunk({ content: '' })],
  ['a choice that is null', { choices: [null] }],
  ['tool calls that are null', chunk({ tool_calls: null, function_call: null })],
  ['a content filter', { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] }],
  ['a list', '[]'],
  ['an empty error', { ...chunk({}), error: '' }],
  ['an error of white space', { ...chunk({}), error: ' ' }],
  ['an error without a field', { ...chunk({}), error: {} }],
  ['details beside a choice', { ...chunk({}), detail: 'cached', errors: ['none'], message: 'ok', code: 500 }],
  ['a message without an error', { message: 'warming up', code: 200 }],
  ['a status without a message', { status: 500 }],
];

const anywhere = nothing.map(([name, frame]) =>
  manner(`${name}, before, between and after text`, 'Hello', stream(frame, hel, frame, lo, frame, stop, frame, done)),
);

const message = { content: 'Hello' };
const inMessage = (content: string) => ({ choices: [{ message: { content } }] });
const parts = ['Hel', 'lo'].map((text) => ({ type: 'text', text }));
const named = 'event: chunk\nid: 1\nretry: 5\ndata:';

/** A whole answer, written in other ways. */
const forms: [name: string, answer: ReturnType<typeof stream>][] = [
  ['message in place of delta', stream({ choices: [{ message }] }, stop, done)],
  ['messages in place of deltas', stream(...['Hel', 'lo'].map(inMessage), stop, done)],
  ['the whole message again at the end', stream(hel, lo, { choices: [{ message, finish_reason: 'stop' }] })],
  ['a body of JSON with the whole answer', status(200, whole)],
  ['a body of JSON without a reason', status(200, { choices: [{ message }] })],
  ['a body of JSON on many lines', status(200, JSON.stringify(whole, null, 2))],
  ['a whole answer in one event', stream(whole)],
  ['content as a list of parts', stream(chunk({ content: parts }), stop)],
  ['content as a list of texts', stream(chunk({ content: ['Hel', 'lo'] }), stop)],
  ['content as one part', stream(chunk({ content: { type: 'text', text: 'Hello' } }), stop)],
  ['content with a part that is null', stream(chunk({ content: [null, ...parts] }), stop)],
  ['names of events, ids and times to retry', bytes(events(hello, stop, done).replaceAll('data:', named))],
  ['comments between events', bytes(`: hi\n\n${events(hel)}: ping\n${events(lo)}:\n\n${events(stop)}`)],
  [
    'data on lines',
    bytes(`data: {"choices":\ndata: [{"delta": {"content": "Hello"}}]\ndata: }\n\n${events(stop, done)}`),
  ],
  ['lines of spaces between events', bytes(events(hello, stop, done).replaceAll('\n\n', '\n \n'))],
];

const unreadable = stream('{"a < b', 'b}');

/** Frames that carry nothing, and frames that nobody can read. */
export const emptyFrames: Manner[] = [
  ...anywhere.map(asForm),
  manner('one unreadable frame before text', 'Hello', stream('{"choi', hello, stop, done)),
  manner('one unreadable frame between text', 'Hello', stream(hel, 'oops', lo, stop, done)),
  manner('one unreadable frame after text', 'Hello', stream(hello, '<html>', stop, done)),
  manner('one unreadable frame, then the end of the connection', cut, stream(hello, '{"cho')),
  manner(
    'nothing but unreadable frames, twice',
    { code: 'model_invalid_output', calls: 2 },
    ...[unreadable, unreadable],
  ),
  manner('nothing but unreadable frames, once', cut, unreadable),
  ...forms.map(([name, answer]) => asForm(manner(name, 'Hello', answer))),
];
