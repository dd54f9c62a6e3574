import {
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
