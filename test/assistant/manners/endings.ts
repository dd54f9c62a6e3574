import {
  always,
  asForm,
  bytes,
  chunk,
  cut,
  done,
  end,
  events,
  hello,
  type Manner,
  manner,
  say,
  status,
  stop,
  stream,
  streamThen,
} from './manner.js';

/** The same end, written in other ways. */
const forms: [name: string, answer: ReturnType<typeof stream>, text?: string][] = [
  ['[DONE] with spaces around it', stream(hello, ' [DONE] ')],
  ['[done] in lower case', stream(hello, '[done]')],
  ['[ DONE ] with spaces inside', stream(hello, '[ DONE ]')],
  ['[DONE] in quotes', stream(hello, '"[DONE]"')],
  ['[DONE] without a blank line after it', bytes(`${events(hello)}data: [DONE]`)],
  ['data:[DONE] without a space', bytes(`${events(hello)}data:[DONE]\n\n`)],
  ['an empty reason, then [DONE]', stream(hello, end(''), done)],
  ['an empty reason in each chunk, then stop', stream(chunk({ content: 'Hello' }, ''), stop)],
  ['a reason beside the last text', stream(chunk({ content: 'Hello' }, 'stop'))],
  ['lines that end with a carriage return', bytes(events(hello, stop, done).replaceAll('\n', '\r'))],
  ['lines that end with both', bytes(events(hello, stop, done).replaceAll('\n', '\r\n'))],
  ['events without blank lines', bytes(events(hello, stop, done).replaceAll('\n\n', '\n'))],
  ['lines of JSON without data:', bytes([hello, stop].map((frame) => JSON.stringify(frame)).join('\n'))],
  ['a byte order mark at the beginning', bytes(`\uFEFF${events(hello, stop, done)}`)],
  ['data: twice', bytes(events(hello, stop).replaceAll('data: ', 'data: data: '))],
  ['bytes one by one', bytes(...events(say('Hé'), stop, done)), 'Hé'],
];

/** As some gateways send it: a reason and the counts so far with each piece. */
const counted = { usage: { prompt_tokens: 3, completion_tokens: 1 } };
const [hel, lo] = [chunk({ content: 'Hel' }, 'stop', counted), chunk({ content: 'lo' }, 'stop', counted)];
const silent = chunk({ role: 'assistant', content: '' }, 'stop', counted);
/** Frames of which each arrives alone. */
const oneByOne = (...frames: (object | string)[]) => bytes(...frames.map((frame) => events(frame)));

/** When an answer has ended. */
export const endings: Manner[] = [
  manner('a reason and [DONE]', 'Hello', stream(hello, stop, done)),
  manner('a reason alone, and the end of the connection', 'Hello', stream(hello, stop)),
  manner('a reason alone, and the connection stays open', 'Hello', streamThen('hang', hello, stop)),
  manner('[DONE], and the connection stays open', 'Hello', streamThen('hang', hello, stop, done)),
  manner(
    'comments after the reason, and the end of the connection',
    'Hello',
    bytes(`${events(hello, stop)}: ping\n\n: ping\n\n`),
  ),
  manner(
    'a reason, and comments for ever on a connection that stays open',
    'Hello',
    streamThen('comment', hello, stop),
  ),
  manner('anything after [DONE]', 'Hello', stream(hello, done, say(' there'), { error: 'late' })),
  manner(
    '[DONE] without a reason, and comments for ever on a connection that stays open',
    'Hello',
    streamThen('comment', hello, done),
  ),
  manner('[DONE] without a reason', 'Hello', stream(hello, done)),
  manner('[DONE] without a reason, and the connection stays open', 'Hello', streamThen('hang', hello, done)),
  manner('an empty reason, and the end of the connection', cut, stream(hello, end(''))),
  manner('neither, and the end of the connection', cut, stream(hello)),
  manner('neither, and a broken connection', cut, streamThen('break', hello)),
  manner('nothing at all', cut, bytes('')),
  manner('a reason with each piece, and [DONE]', 'Hello', oneByOne(silent, hel, lo, done)),
  manner('a reason with each piece, and the end of the connection', 'Hello', oneByOne(hel, lo)),
  manner('a reason with each piece, and a broken connection', cut, streamThen('break', silent, hel, lo)),
  manner('a reason with each piece, and one alone at the end', 'Hello', streamThen('hang', silent, hel, lo, stop)),
  manner(
    'a reason with a thought, and with the text after it',
    { text: 'Hello', thinking: 'Hm.' },
    oneByOne(chunk({ reasoning_content: 'Hm.' }, 'stop', counted), hel, lo, done),
  ),
  manner('a broken connection after the reason', 'Hello', streamThen('break', hello, stop)),
  manner('a broken connection after [DONE]', 'Hello', streamThen('break', hello, done)),
  ...forms.map(([name, answer, text = 'Hello']) => asForm(manner(name, text, answer))),
];

const complete = ['stop', 'eos', 'stop_sequence', 'end_turn', 'STOP', 'eos_token', 'end-turn', 'COMPLETE'];
const truncated = ['length', 'model_length', 'max_tokens', 'MAX_TOKENS'];
const filtered = ['content_filter', 'SAFETY', 'sensitive', 'RECITATION', 'PROHIBITED_CONTENT'];
const failed = ['error', 'abort', 'cancelled', 'network_error', 'insufficient_system_resource'];
const strange = ['banana', 'unspecified', 'null', 'repetition'];

const withError = (error: unknown) => stream(hello, { ...chunk({}, 'stop'), error });
const inChoice = (error: unknown) =>
  stream(hello, { ...chunk({}), choices: [{ index: 0, delta: {}, error, finish_reason: 'error' }] });

/** Each of these words after a text, or alone, which means one thing. */
function each(words: readonly string[], what: string, outcome: Parameters<typeof manner>[1], { alone = false } = {}) {
  const all = words.map((word) => {
    return manner(`${word} ${what}`, outcome, stream(...(alone ? [] : [hello]), end(word), done));
  });
  return all.map((one, index) => (index > 0 ? asForm(one) : one));
}

/** What a reason to finish means. */
export const reasons: Manner[] = [
  ...each([...complete, 'FINISH_REASON_STOP'], 'is complete', 'Hello'),
  ...each(truncated, 'is cut by length', { text: 'Hello', isTruncated: true }),
  ...each(filtered, 'is filtered', { text: 'Hello', code: 'model_content_filtered' }),
  ...each(failed, 'is a failed attempt', cut),
  ...each(['MALFORMED_FUNCTION_CALL'], 'without text is asked once more', cut, { alone: true }),
  ...each(['MALFORMED_FUNCTION_CALL'], 'after text is a failed attempt', cut),
  ...each(strange, 'after text is complete', 'Hello'),
  ...each(strange, 'without text is failed', cut, { alone: true }),
  manner('an error beside a reason', cut, withError({ message: 'oops', code: 500 })),
  manner('an error in the choice', cut, inChoice({ message: 'oops', code: 502 })),
  manner('a reason called finishReason', 'Hello', stream(hello, { choices: [{ delta: {}, finishReason: 'stop' }] })),
  manner(
    'a failure that goes on for ever takes four calls',
    { code: 'model_unavailable', calls: 4 },
    ...always(status(503, { error: { message: 'overloaded' } })),
  ),
  manner(
    'a failure after text that goes on for ever ends with the last text',
    { text: 'Hello', code: 'model_failed', calls: 3 },
    ...always(stream(hello, end('error'), done)),
  ),
  manner('stop twice', 'Hello', stream(hello, stop, stop, done)),
];

const empty = { code: 'model_empty_response', calls: 2 } as const;

/** What a model says that declines, and answers without anything in them. */
export const refusals: Manner[] = [
  manner('delta.refusal is what the model says', 'I cannot.', stream(chunk({ refusal: 'I cannot.' }), stop, done)),
  manner('delta.refusal in pieces', 'I cannot.', stream(chunk({ refusal: 'I ' }), chunk({ refusal: 'cannot.' }), stop)),
  manner('a refusal that is null', 'Hello', stream(chunk({ content: 'Hello', refusal: null }), stop)),
  manner('an empty answer, once', cut, stream(stop, done)),
  manner('an empty answer, always', empty, ...always(stream(stop, done))),
  manner('white space alone, always', empty, ...always(stream(say(' \n'), stop, done))),
  manner('an odd end after text keeps the text', 'Hello', stream(hello, end('banana'))),
];
