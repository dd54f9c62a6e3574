import { chunk, done, end, hello, type Manner, status, stop, stream } from './manner.js';

const complete = [
  'stop',
  'eos',
  'stop_sequence',
  'end_turn',
  'STOP',
  'eos_token',
  'end-turn',
  'COMPLETE',
  'FINISH_REASON_STOP',
];
const truncated = ['length', 'model_length', 'max_tokens', 'MAX_TOKENS'];
const filtered = ['content_filter', 'SAFETY', 'sensitive', 'RECITATION', 'PROHIBITED_CONTENT'];
const failed = ['error', 'abort', 'cancelled', 'network_error', 'insufficient_system_resource'];
const strange = ['banana', 'unspecified', 'null', 'repetition'];

const withError = (error: unknown) => stream(hello, { ...chunk({}, 'stop'), error });
const inChoice = (error: unknown) =>
  stream(hello, { ...chunk({}), choices: [{ index: 0, delta: {}, error, finish_reason: 'error' }] });

/** What a reason to finish means. */
export const reasons: Manner[] = [
  ...complete.map(
    (word, index): Manner => ({
      name: `${word} is complete`,
      answers: [stream(hello, end(word), done)],
      text: 'Hello',
      isForm: index > 0,
    }),
  ),
  ...truncated.map(
    (word, index): Manner => ({
      name: `${word} is cut by length`,
      answers: [stream(hello, end(word), done)],
      text: 'Hello',
      isTruncated: true,
      isForm: index > 0,
    }),
  ),
  ...filtered.map(
    (word, index): Manner => ({
      name: `${word} is filtered`,
      answers: [stream(hello, end(word), done)],
      text: 'Hello',
      code: 'model_content_filtered',
      isForm: index > 0,
    }),
  ),
  ...failed.map(
    (word, index): Manner => ({
      name: `${word} is a failed attempt`,
      answers: [stream(hello, end(word), done)],
      text: 'Again.',
      calls: 2,
      isForm: index > 0,
    }),
  ),
  {
    name: 'MALFORMED_FUNCTION_CALL without text is asked once more',
    answers: [stream(end('MALFORMED_FUNCTION_CALL'), done)],
    text: 'Again.',
    calls: 2,
  },
  {
    name: 'MALFORMED_FUNCTION_CALL after text is a failed attempt',
    answers: [stream(hello, end('MALFORMED_FUNCTION_CALL'), done)],
    text: 'Again.',
    calls: 2,
  },
  ...strange.map(
    (word, index): Manner => ({
      name: `${word} after text is complete`,
      answers: [stream(hello, end(word), done)],
      text: 'Hello',
      isForm: index > 0,
    }),
  ),
  ...strange.map(
    (word, index): Manner => ({
      name: `${word} without text is failed`,
      answers: [stream(end(word), done)],
      text: 'Again.',
      calls: 2,
      isForm: index > 0,
    }),
  ),
  { name: 'an error beside a reason', answers: [withError({ message: 'oops', code: 500 })], text: 'Again.', calls: 2 },
  { name: 'an error in the choice', answers: [inChoice({ message: 'oops', code: 502 })], text: 'Again.', calls: 2 },
  {
    name: 'a reason called finishReason',
    answers: [stream(hello, { choices: [{ delta: {}, finishReason: 'stop' }] })],
    text: 'Hello',
  },
  {
    name: 'a failure that goes on for ever takes four calls',
    answers: Array.from({ length: 9 }, () => status(503, { error: { message: 'overloaded' } })),
    code: 'model_unavailable',
    calls: 4,
  },
  {
    name: 'a failure after text that goes on for ever ends with the last text',
    answers: Array.from({ length: 9 }, () => stream(hello, end('error'), done)),
    text: 'Hello',
    code: 'model_failed',
    calls: 3,
  },
  { name: 'stop twice', answers: [stream(hello, stop, stop, done)], text: 'Hello' },
];
