/**
 * The bytes that one answer may hold. Every field adds what it will take up in the JSON as soon as it has its value, so an
 * operation that asks for one long text under many names is refused before a second copy of the text exists.
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
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import { limitExceeded, maximums } from './limit-exceeded.js';

/** What an answer may still grow by. An executor ends the whole operation at the error that `take` throws. */
export class AnswerBudget {
  #left: number = maximums.answerBytes;

  get isExceeded(): boolean {
    return this.#left < 0;
  }

  /** Counts bytes of the answer. Throws `LIMIT_EXCEEDED` where there are too many. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw endOfOperation;
  }

  /** Begins anew, for the next event of a subscription. */
  reset(): void {
    this.#left = maximums.answerBytes;
  }
}

/** By this extension the executor gives up everything, fields that may be null included, instead of collecting errors. */
const endOfOperation = new GraphQLError(limitExceeded('answerBytes').message, {
  extensions: { ...limitExceeded('answerBytes').extensions, CRITICAL_ERROR: true },
});

/** Gives each operation a budget of its own, and each event of a subscription. */
export function answerBudget(): Plugin<Context> {
  const refused = (): ExecutionResult => ({ errors: [limitExceeded('answerBytes')] });
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn(async (given: ExecutionArgs) => {
        const answer = new AnswerBudget();
        const result: unknown = await executeFn(withBudget(given, answer));
        return answer.isExceeded ? refused() : result;
      });
    },
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      const answer = new AnswerBudget();
      setSubscribeFn((given: ExecutionArgs) => subscribeFn(withBudget(given, answer)));
      return {
        onSubscribeResult: () => ({
          onNext({ setResult }) {
            if (answer.isExceeded) setResult(refused());
            answer.reset();
          },
        }),
      };
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
