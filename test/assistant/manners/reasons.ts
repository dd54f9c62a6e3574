import { always, asForm, chunk, cut, done, end, hello, type Manner, manner, status, stop, stream } from './manner.js';

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
