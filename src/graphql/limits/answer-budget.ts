/**
 * Limits the bytes of one response and of what is loaded for it. A response is counted once, when all of its fields have
 * values and before it is written: a long text that is selected under many aliases is one string until then. Responses that
 * are not small wait for room among those of all callers (`answer-room.ts`).
 */
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { AnswerLimits, Context } from '../../builder.js';
import { CancellableStream } from '../../platform/async/cancellable-stream.js';
import { AnswerRoom } from './answer-room.js';
import { jsonBytes } from './json-bytes.js';
import { limitExceeded, maximums } from './limit-exceeded.js';

/** Responses up to this size are not counted with the others, and contents up to this size load without waiting. */
const smallAnswer = 64 * 1024;
const smallLoad = 1024 * 1024;

/** What may still be loaded for a response. The executor ends the whole operation at the errors that it throws. */
export class AnswerBudget implements AnswerLimits {
  readonly #room: AnswerRoom | undefined;
  #unloaded: number = maximums.answerBytes;
  #refusal: GraphQLError | null = null;

  /** `room` is missing for requests that are no operations. */
  constructor(room?: AnswerRoom) {
    this.#room = room;
  }

  /** Bytes that may be loaded now. */
  get loadable(): number {
    const loaded = maximums.answerBytes - this.#unloaded;
    return this.#room?.isHeld ? this.#unloaded : Math.max(0, smallLoad - loaded);
  }

  /** Counts loaded bytes, whether or not the response contains them. Throws `LIMIT_EXCEEDED` beyond the limit. */
  load(bytes: number): void {
    if (bytes > this.#unloaded) this.#refuse(limitExceeded('answerBytes'));
    this.#unloaded -= bytes;
  }

  /**
   * Waits until `bytes` may be loaded. Throws `LIMIT_EXCEEDED` if they exceed the limit or there is no room in time.
   */
  async makeRoomFor(bytes: number): Promise<void> {
    if (bytes > this.#unloaded) this.#refuse(limitExceeded('answerBytes'));
    // Takes room for the largest response at once: waiting a second time while holding room could deadlock.
    await this.#room?.take(maximums.answerBytes).catch((error: unknown) => this.#refuse(error));
  }

  /** Counts the response among those of all callers until it has been sent. Returns the response or an error. */
  async settle<Result extends ExecutionResult>(result: Result): Promise<Result | ExecutionResult> {
    const bytes = this.#refusal ? 0 : jsonBytes(result.data, maximums.answerBytes);
    await this.hold(bytes).catch((error: unknown) => this.#note(error));
    return this.#refusal ? { errors: [this.#refusal] } : result;
  }

  /** Counts a response of so many bytes. Throws `LIMIT_EXCEEDED` if that is too much or there is no room in time. */
  async hold(bytes: number): Promise<void> {
    const isTooMuch = bytes > maximums.answerBytes;
    if (isTooMuch || bytes <= smallAnswer) this.release();
    else if (this.#room?.isHeld) this.#room.keep(bytes);
    else await this.#room?.take(bytes);
    if (isTooMuch) throw limitExceeded('answerBytes');
  }

  release(): void {
    this.#room?.release();
  }

  /** Resets the budget for the next event of a subscription. */
  reset(): void {
    this.release();
    this.#unloaded = maximums.answerBytes;
    this.#refusal = null;
  }

  #note(error: unknown): GraphQLError {
    if (!(error instanceof GraphQLError)) throw error;
    this.#refusal ??= error;
    return this.#refusal;
  }

  /** With this extension the executor ends the operation instead of collecting errors. */
  #refuse(error: unknown): never {
    const { message, extensions } = this.#note(error);
    throw new GraphQLError(message, { extensions: { ...extensions, CRITICAL_ERROR: true } });
  }
}

/** Gives each operation a budget, and each event of a subscription a new one. */
export function answerBudget(waitMs: number): Plugin<Context> {
  const budgetOf = (args: ExecutionArgs) => new AnswerBudget(new AnswerRoom(args.contextValue as Context, waitMs));
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn(async (given: ExecutionArgs): Promise<ExecutionResult> => {
        const answer = budgetOf(given);
        try {
          return await answer.settle(await executeFn(withBudget(given, answer)));
        } catch (error) {
          answer.release();
          throw error;
        }
      });
    },
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      setSubscribeFn(async (given: ExecutionArgs): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> => {
        const answer = budgetOf(given);
        const result: unknown = await subscribeFn(withBudget(given, answer));
        return isAsyncIterable(result)
          ? countedEvents(result as AsyncIterable<ExecutionResult>, answer)
          : (result as ExecutionResult);
      });
    },
  };
}

/** The events of a subscription. Each counts until the next one is asked for, which is when its subscriber has taken it. */
function countedEvents(source: AsyncIterable<ExecutionResult>, answer: AnswerBudget) {
  const events = source[Symbol.asyncIterator]();
  return new CancellableStream({
    next: async () => {
      answer.reset();
      const event = await events.next();
      return event.done ? event : { done: false, value: await answer.settle(event.value) };
    },
    release: () => {
      answer.release();
      return events.return?.();
    },
  });
}

function withBudget(args: ExecutionArgs, answer: AnswerBudget): ExecutionArgs {
  return { ...args, contextValue: { ...(args.contextValue as Context), answer } };
}
