/**
 * Limits the bytes of one response and of what is loaded for it. Each field counts its JSON size as soon as it has a
 * value, so an operation that selects a long text under many aliases fails before a second copy exists. Responses that
 * are not small wait for room among those of all callers (`answer-room.ts`).
 */
import {
  defaultFieldResolver,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { CancellableStream } from '../../async/cancellable-stream.js';
import type { AnswerLimits, Context } from '../../builder.js';
import { AnswerRoom } from './answer-room.js';
import { limitExceeded, maximums } from './limit-exceeded.js';

/** Responses up to this size are not counted with the others, and contents up to this size load without waiting. */
const smallAnswer = 64 * 1024;
const smallLoad = 1024 * 1024;

/** The remaining bytes of a response. The executor ends the whole operation at the errors that it throws. */
export class AnswerBudget implements AnswerLimits {
  readonly #room: AnswerRoom | undefined;
  #left: number = maximums.answerBytes;
  #unloaded: number = maximums.answerBytes;
  #refusal: GraphQLError | null = null;

  /** `room` is missing for requests that are no operations. */
  constructor(room?: AnswerRoom) {
    this.#room = room;
  }

  /** Counts bytes of the response. Throws `LIMIT_EXCEEDED` beyond the limit. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) this.#refuse(limitExceeded('answerBytes'));
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
  async settle<Result>(result: Result): Promise<Result | ExecutionResult> {
    const bytes = maximums.answerBytes - this.#left;
    if (!this.#refusal && bytes > smallAnswer) {
      if (this.#room?.isHeld) this.#room.keep(bytes);
      else await this.#room?.take(bytes).catch((error: unknown) => this.#note(error));
    } else this.giveBack();
    return this.#refusal ? { errors: [this.#refusal] } : result;
  }

  giveBack(): void {
    this.#room?.giveBack();
  }

  /** Resets the budget for the next event of a subscription. */
  reset(): void {
    this.giveBack();
    this.#left = maximums.answerBytes;
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
  const budgetOf = (args: ExecutionArgs) => {
    // A copy of the whole context would cost more than the rest of this.
    const { answers, viewer, signal, turn } = args.contextValue as Context;
    return new AnswerBudget(new AnswerRoom({ answers, viewer, signal, turn, waitMs }));
  };
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn(async (given: ExecutionArgs): Promise<ExecutionResult> => {
        const answer = budgetOf(given);
        try {
          return await answer.settle(await executeFn(withBudget(given, answer)));
        } catch (error) {
          answer.giveBack();
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
      answer.giveBack();
      return events.return?.();
    },
  });
}

function withBudget(args: ExecutionArgs, answer: AnswerBudget): ExecutionArgs {
  return { ...args, contextValue: { ...(args.contextValue as Context), answer } };
}

/** Makes every field of the schema count. Introspection does not: what it can give is bounded by the schema. */
export function countAnswers(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = isLeafType(getNamedType(field.type)) ? countedLeaf(resolve) : countedObject(resolve);
    }
  }
  return schema;
}

type Resolver = GraphQLFieldResolver<unknown, Context>;

/** Bytes of quotes, colon and comma around a name, or of the braces of an object. */
const punctuation = 5;

function countedObject(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    context.answer.take(String(info.path.key).length + punctuation);
    return resolve(source, args, context, info);
  };
}

function countedLeaf(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    context.answer.take(String(info.path.key).length + punctuation);
    const count = (value: unknown) => {
      context.answer.take(jsonBytes(value));
      return value;
    };
    const value: unknown = resolve(source, args, context, info);
    return value instanceof Promise ? value.then(count) : count(value);
  };
}

/** Maximum length of values other than texts: numbers, times and enum values. */
const shortValue = 24;

/** Characters that JSON writes as they are, in a byte each. */
const plainText = /^[ !#-[\]-~]*$/;

/** Exact for texts, because a character can take up to six bytes in JSON. */
function jsonBytes(value: unknown): number {
  if (typeof value === 'string') {
    return plainText.test(value) ? value.length + 2 : Buffer.byteLength(JSON.stringify(value));
  }
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + jsonBytes(item) + 1, 2);
  return shortValue;
}
