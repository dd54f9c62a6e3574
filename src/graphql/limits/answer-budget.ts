/**
 * The bytes that one answer may hold, and that may be loaded for it. Every field adds what it will take up in the JSON as soon as
 * it has its value, so an operation that asks for one long text under many names is refused before a second copy of the text
 * exists. What is not small waits for room among the answers of everybody (`answer-room.ts`).
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
import type { AnswerLimits, Context } from '../../builder.js';
import { AnswerRoom } from './answer-room.js';
import { CountedEvents } from './counted-events.js';
import { limitExceeded, maximums } from './limit-exceeded.js';

/** An answer up to this is not counted with the others, and contents up to that are loaded without asking for room. */
const smallAnswer = 64 * 1024;
const smallLoad = 1024 * 1024;

/** What an answer may still grow by. An executor ends the whole operation at the errors that it throws. */
export class AnswerBudget implements AnswerLimits {
  #left: number = maximums.answerBytes;
  #unloaded: number = maximums.answerBytes;
  #refusal: GraphQLError | null = null;

  /** Without room for a request that is no operation. */
  constructor(private readonly room?: AnswerRoom) {}

  /** Counts bytes of the answer. Throws `LIMIT_EXCEEDED` where there are too many. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) this.#refuse(limitExceeded('answerBytes'));
  }

  /** Bytes of contents that may be loaded at this moment. */
  get loadable(): number {
    const loaded = maximums.answerBytes - this.#unloaded;
    return this.room?.isHeld ? this.#unloaded : Math.max(0, smallLoad - loaded);
  }

  /** Counts contents that are loaded, whatever the answer shows of them. Throws `LIMIT_EXCEEDED` where they are too many. */
  load(bytes: number): void {
    if (bytes > this.#unloaded) this.#refuse(limitExceeded('answerBytes'));
    this.#unloaded -= bytes;
  }

  /** Waits for room to load so many bytes. Throws `LIMIT_EXCEEDED` where they are too many, or there is none in time. */
  async makeRoomFor(bytes: number): Promise<void> {
    if (bytes > this.#unloaded) this.#refuse(limitExceeded('answerBytes'));
    // For all that the operation may ask for: to wait a second time while holding room could block everybody.
    await this.room?.take(maximums.answerBytes).catch((error: unknown) => this.#refuse(error));
  }

  /** Counts the answer with those of others until its caller has it. The answer, or its refusal. */
  async settle<Result>(result: Result): Promise<Result | ExecutionResult> {
    const bytes = maximums.answerBytes - this.#left;
    if (!this.#refusal && bytes > smallAnswer) {
      if (this.room?.isHeld) this.room.keep(bytes);
      else await this.room?.take(bytes).catch((error: unknown) => this.#note(error));
    } else this.giveBack();
    return this.#refusal ? { errors: [this.#refusal] } : result;
  }

  giveBack(): void {
    this.room?.giveBack();
  }

  /** Begins anew, for the next event of a subscription. */
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

  /** By this extension the executor gives up everything, fields that may be null included, instead of collecting errors. */
  #refuse(error: unknown): never {
    const { message, extensions } = this.#note(error);
    throw new GraphQLError(message, { extensions: { ...extensions, CRITICAL_ERROR: true } });
  }
}

/** Gives each operation a budget of its own, and each event of a subscription. */
export function answerBudget(waitMs: number): Plugin<Context> {
  const budgetOf = (args: ExecutionArgs) =>
    new AnswerBudget(new AnswerRoom({ ...(args.contextValue as Context), waitMs }));
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
      setSubscribeFn(async (given: ExecutionArgs): Promise<ExecutionResult | CountedEvents> => {
        const answer = budgetOf(given);
        const result: unknown = await subscribeFn(withBudget(given, answer));
        return isAsyncIterable(result)
          ? new CountedEvents(result as AsyncIterable<ExecutionResult>, answer)
          : (result as ExecutionResult);
      });
    },
  };
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

/** Quotes, colon and comma around a name, or the braces of an object. */
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

/** Longest text of a value that is none of a text: a number, a moment, the name of an enumeration. */
const shortValue = 24;

/** Exact for texts, since a character may take six bytes in JSON. */
function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value));
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + jsonBytes(item) + 1, 2);
  return shortValue;
}
