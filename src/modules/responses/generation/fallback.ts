/**
 * Models that answer in each other's place: the default one and those that `AI_MODEL` names after it. A model that does not answer
 * is replaced at once, without the wait of a retry, and within the same attempt.
 */
import { GenerationError, type GenerationErrorCode, type Processor } from './processor.js';
import { doubtful } from './retry.js';

/** In the order of preference. */
export type Models<P = Processor> = readonly [P, ...P[]];

/** What says nothing about the model: it would refuse the same answer, or the conversation has to change first. */
const final: ReadonlySet<GenerationErrorCode> = new Set([
  'model_content_filtered',
  'model_context_exceeded',
  'model_output_too_large',
  'budget_exceeded',
]);

/** Whether another model may answer after this error, also one that a retry would not cure, such as a wrong key. */
export function mayAnotherAnswer(fault: unknown): fault is GenerationError {
  return fault instanceof GenerationError && !final.has(fault.code);
}

/**
 * The error of a response that each model in turn has failed with `faults`: the last one where no other model may answer after it.
 * Otherwise they can be called again if one of them can.
 */
export function faultOfAll(faults: readonly unknown[]): unknown {
  const failed = faults.filter(mayAnotherAnswer);
  const again = failed.filter(({ retryable }) => retryable);
  const told = again.find(({ code }) => !doubtful.has(code)) ?? again[0] ?? failed[0];
  if (!told || faults.length === 1 || failed.length < faults.length) return faults.at(-1);
  const { code, message, retryable, retryAfterMs, cause } = told;
  const wasReceived = failed.some((fault) => fault.wasReceived);
  const sentence = `None of the ${failed.length} AI models answered. ${message}`;
  return new GenerationError(code, sentence, { retryable, retryAfterMs, wasReceived, cause });
}
