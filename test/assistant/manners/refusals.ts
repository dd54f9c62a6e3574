import { always, chunk, cut, done, end, hello, type Manner, manner, say, stop, stream } from './manner.js';

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
