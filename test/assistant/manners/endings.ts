import { bytes, chunk, done, end, events, hello, type Manner, say, stop, stream, streamThen } from './manner.js';

const cut = { text: 'Again.', calls: 2 };

/** The same end, written in other ways. */
const forms: Manner[] = [
  { name: '[DONE] with spaces around it', answers: [stream(hello, ' [DONE] ')], text: 'Hello' },
  { name: '[done] in lower case', answers: [stream(hello, '[done]')], text: 'Hello' },
  { name: '[ DONE ] with spaces inside', answers: [stream(hello, '[ DONE ]')], text: 'Hello' },
  { name: '[DONE] in quotes', answers: [stream(hello, '"[DONE]"')], text: 'Hello' },
  { name: '[DONE] without a blank line after it', answers: [bytes(`${events(hello)}data: [DONE]`)], text: 'Hello' },
  { name: 'data:[DONE] without a space', answers: [bytes(`${events(hello)}data:[DONE]\n\n`)], text: 'Hello' },
  { name: 'an empty reason, then [DONE]', answers: [stream(hello, end(''), done)], text: 'Hello' },
  {
    name: 'an empty reason in each chunk, then stop',
    answers: [stream(chunk({ content: 'Hello' }, ''), stop)],
    text: 'Hello',
  },
  { name: 'a reason beside the last text', answers: [stream(chunk({ content: 'Hello' }, 'stop'))], text: 'Hello' },
  {
    name: 'lines that end with a carriage return',
    answers: [bytes(events(hello, stop, done).replaceAll('\n', '\r'))],
    text: 'Hello',
  },
  {
    name: 'lines that end with both',
    answers: [bytes(events(hello, stop, done).replaceAll('\n', '\r\n'))],
    text: 'Hello',
  },
  {
    name: 'events without blank lines',
    answers: [bytes(events(hello, stop, done).replaceAll('\n\n', '\n'))],
    text: 'Hello',
  },
  {
    name: 'lines of JSON without data:',
    answers: [bytes([hello, stop].map((frame) => JSON.stringify(frame)).join('\n'))],
    text: 'Hello',
  },
  { name: 'a byte order mark at the beginning', answers: [bytes(`\uFEFF${events(hello, stop, done)}`)], text: 'Hello' },
  { name: 'data: twice', answers: [bytes(events(hello, stop).replaceAll('data: ', 'data: data: '))], text: 'Hello' },
  { name: 'bytes one by one', answers: [bytes(...events(say('Hé'), stop, done))], text: 'Hé' },
];

/** When an answer has ended. */
export const endings: Manner[] = [
  { name: 'a reason and [DONE]', answers: [stream(hello, stop, done)], text: 'Hello' },
  { name: 'a reason alone, and the end of the connection', answers: [stream(hello, stop)], text: 'Hello' },
  { name: 'a reason alone, and the connection stays open', answers: [streamThen('hang', hello, stop)], text: 'Hello' },
  { name: '[DONE], and the connection stays open', answers: [streamThen('hang', hello, stop, done)], text: 'Hello' },
  {
    name: 'comments after the reason, and the end of the connection',
    answers: [[...bytes(`${events(hello, stop)}: ping\n\n: ping\n\n`)]],
    text: 'Hello',
  },
  {
    name: 'a reason, and comments for ever on a connection that stays open',
    answers: [streamThen('comment', hello, stop)],
    text: 'Hello',
  },
  { name: 'anything after [DONE]', answers: [stream(hello, done, say(' there'), { error: 'late' })], text: 'Hello' },
  {
    name: '[DONE] without a reason, and comments for ever on a connection that stays open',
    answers: [streamThen('comment', hello, done)],
    text: 'Hello',
  },
  { name: '[DONE] without a reason', answers: [stream(hello, done)], text: 'Hello' },
  {
    name: '[DONE] without a reason, and the connection stays open',
    answers: [streamThen('hang', hello, done)],
    text: 'Hello',
  },
  { name: 'an empty reason, and the end of the connection', answers: [stream(hello, end(''))], ...cut },
  { name: 'neither, and the end of the connection', answers: [stream(hello)], ...cut },
  { name: 'neither, and a broken connection', answers: [streamThen('break', hello)], ...cut },
  { name: 'nothing at all', answers: [bytes('')], ...cut },
  { name: 'a broken connection after the reason', answers: [streamThen('break', hello, stop)], text: 'Hello' },
  { name: 'a broken connection after [DONE]', answers: [streamThen('break', hello, done)], text: 'Hello' },
  ...forms.map((manner) => ({ ...manner, isForm: true })),
];
