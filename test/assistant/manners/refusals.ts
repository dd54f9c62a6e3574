import { chunk, done, end, hello, type Manner, say, stop, stream } from './manner.js';

/** What a model says that declines, and answers without anything in them. */
export const refusals: Manner[] = [
  {
    name: 'delta.refusal is what the model says',
    answers: [stream(chunk({ refusal: 'I cannot.' }), stop, done)],
    text: 'I cannot.',
  },
  {
    name: 'delta.refusal in pieces',
    answers: [stream(chunk({ refusal: 'I ' }), chunk({ refusal: 'cannot.' }), stop)],
    text: 'I cannot.',
  },
  {
    name: 'a refusal that is null',
    answers: [stream(chunk({ content: 'Hello', refusal: null }), stop)],
    text: 'Hello',
  },
  { name: 'an empty answer, once', answers: [stream(stop, done)], text: 'Again.', calls: 2 },
  {
    name: 'an empty answer, always',
    answers: Array.from({ length: 9 }, () => stream(stop, done)),
    code: 'model_empty_response',
    calls: 2,
  },
  {
    name: 'white space alone, always',
    answers: Array.from({ length: 9 }, () => stream(say(' \n'), stop, done)),
    code: 'model_empty_response',
    calls: 2,
  },
  { name: 'an odd end after text keeps the text', answers: [stream(hello, end('banana'))], text: 'Hello' },
];
