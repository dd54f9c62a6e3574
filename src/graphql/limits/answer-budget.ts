/**
 * Limits the bytes of one response and of what is loaded for it. A response is counted once, when all of its fields have
 * values and before it is written: a long text that is selected under many aliases is one string until then. Responses that
 * are not small wait for room among those of all callers in the process, in turns by user and for a limited time. Room is
 * taken once and never enlarged, so nobody waits for room while holding some.
 */
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { AnswerLimits, Context } from '../../builder.js';
import type { Release } from '../../platform/fairness/fair-semaphore.js';
import { jsonBytes } from './json-bytes.js';
import { limitExceeded, maximums } from './limit-exceeded.js';

/** Responses up to this size are not counted with the others, and contents up to this size load without waiting. */
const smallAnswer = 64 * 1024;
const smallLoad = 1024 * 1024;

/** Whose response it is. The signal is read only when room is taken, because to make one costs as much as the rest. */
type Recipient = Pick<Context, 'answers' | 'viewer' | 'signal'>;

/** What may still be loaded for a response, and its room. */
export class AnswerBudget implements AnswerLimits {
  aside: AnswerLimits['aside'];
  readonly #recipient: Recipient | undefined;
  #loaded = 0;
  #refusal: GraphQLError | null = null;
  #taking: Promise<void> | null = null;
  #room: Release | null = null;

  /** Requests that are no operations have no recipient. */
  constructor(recipient?: Recipient) {
    this.#recipient = recipient;
  }

  get loadable(): number {
    return Math.max(0, (this.#room ? maximums.answerBytes : smallLoad) - this.#loaded);
  }

  /** Throws `LIMIT_EXCEEDED` beyond the limit, and so does the whole operation. */
  load(bytes: number): void {
    if (this.#loaded + bytes > maximums.answerBytes) this.#refuse(limitExceeded('answerBytes'));
    this.#loaded += bytes;
  }

  /** Throws `LIMIT_EXCEEDED` beyond the limit, or if there is no room in time. */
  async makeRoomFor(bytes: number): Promise<void> {
    if (this.#loaded + bytes > maximums.answerBytes) this.#refuse(limitExceeded('answerBytes'));
    // Takes room for the largest response at once: waiting a second time while holding room could deadlock.
    await this.#take(maximums.answerBytes).catch((error: unknown) => this.#refuse(error));
  }

  /** Counts the response among those of all callers until it has been sent. Returns the response or an error. */
  async settle<Result extends ExecutionResult>(result: Result): Promise<Result | ExecutionResult> {
    const bytes = this.#refusal ? 0 : jsonBytes(result.data, maximums.answerBytes);
    try {
      await this.hold(bytes);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      this.#refusal = error;
    }
    return this.#refusal ? { errors: [this.#refusal] } : result;
  }

  /** Counts a response of so many bytes. Throws `LIMIT_EXCEEDED` if that is too much or there is no room in time. */
  async hold(bytes: number): Promise<void> {
    if (bytes > maximums.answerBytes) {
      this.release();
      throw limitExceeded('answerBytes');
    }
    if (bytes <= smallAnswer) this.release();
    else if (this.#room) this.#room(bytes);
    else await this.#take(bytes);
  }

  readonly release = (): void => {
    this.#taking = null;
    if (!this.#room) return;
    this.#recipient?.signal.removeEventListener('abort', this.release);
    this.#room();
    this.#room = null;
  };

  /** Resets the budget for the next event of a subscription. */
  reset(): void {
    this.release();
    this.#loaded = 0;
    this.#refusal = null;
  }

  #take(bytes: number): Promise<void> {
    this.#taking ??= this.#recipient ? this.#takeRoom(this.#recipient, bytes) : Promise.resolve();
    return this.#taking;
  }

  async #takeRoom({ answers, viewer, signal }: Recipient, bytes: number): Promise<void> {
    const room = answers.tryAcquire(viewer, bytes);
    if (room) return this.#keep(room, signal);
    const wait = async () => this.#keep(await answers.acquire(viewer, { amount: bytes, signal }), signal);
    await (this.aside ? this.aside(wait) : wait());
  }

  #keep(room: Release, signal: AbortSignal): void {
    // The response was sent, or its caller left.
    if (signal.aborted || this.#room) room();
    else {
      this.#room = room;
      signal.addEventListener('abort', this.release, { once: true });
    }
  }

  #refuse(error: unknown): never {
    if (error instanceof GraphQLError) this.#refusal ??= error;
    throw error;
  }
}

/** Gives each query and mutation a budget. Those of subscriptions are in `live-streams.ts`. */
export function answerBudget(): Plugin<Context> {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn(async (given: ExecutionArgs): Promise<ExecutionResult> => {
        const context = given.contextValue as Context;
        const answer = new AnswerBudget(context);
        return answer.settle(await executeFn({ ...given, contextValue: { ...context, answer } }));
      });
    },
  };
}
