/**
 * Errors for exceeded limits. Each has the code `LIMIT_EXCEEDED`, names the limit and its maximum, and tells what to
 * do. The maximums of configurable limits are passed in.
 */
import { GraphQLError } from 'graphql';
import { maximumIdLength } from '../../contract.js';

/** Fixed maximums of a request and an operation. */
export const maximums = {
  /** As in REST: room for the longest text of a message in every script, with each character escaped. */
  bytes: 1024 * 1024,
  tokens: 2000,
  depth: 12,
  fields: 5000,
  aliases: 30,
  directives: 50,
  items: 3000,
  /** UTF-8 bytes of JSON in a response, or in one event of a subscription. */
  answerBytes: 32 * 1024 * 1024,
  /** Characters of a name in an operation. */
  nameLength: 100,
  /** Characters of an id. */
  idLength: maximumIdLength,
  /** Values in the variables, including lists and objects themselves. */
  variables: 500,
  /** Concurrent operations on one reserved stream. */
  operations: 100,
} as const;

type FixedLimit = keyof typeof maximums;
/** Configurable limits. */
type SetLimit = 'streams' | 'organizationStreams' | 'processStreams' | 'time' | 'answerMemory';
export type Limit = FixedLimit | SetLimit;

const sentences: Record<Limit, (maximum: number) => string> = {
  bytes: () => 'The request is larger than 1 MiB. Send fewer long texts at once.',
  tokens: (maximum) => `The operation has more than ${maximum} tokens. Split it.`,
  depth: (maximum) => `The operation is nested deeper than ${maximum} levels of fields. Ask for less at once.`,
  fields: (maximum) =>
    `The operation selects more than ${maximum} fields, counting those of a fragment wherever it is spread. Split it.`,
  aliases: (maximum) => `The operation has more than ${maximum} aliases. Split it.`,
  directives: (maximum) => `The operation has more than ${maximum} directives. Split it.`,
  items: (maximum) =>
    `The operation asks for more than ${maximum} list items, counting the lists inside of lists. Ask for smaller pages with "first".`,
  answerBytes: (maximum) =>
    `The answer would be larger than ${maximum / 2 ** 20} MiB. Ask for smaller pages, or for fewer long texts at once; if the operation changes something, check whether the change took effect, then retry.`,
  nameLength: (maximum) => `The operation has a name longer than ${maximum} characters. Shorten it.`,
  idLength: (maximum) => `An id is longer than ${maximum} characters. Send ids as they were given to you.`,
  variables: (maximum) => `The variables hold more than ${maximum} values. Split the operation.`,
  operations: (maximum) => `More than ${maximum} operations run on this stream. Reserve another one.`,
  streams: (maximum) =>
    `You have more than ${maximum} streams open. Close those that nobody reads, or try again in a few seconds.`,
  organizationStreams: (maximum) =>
    `Your organization has more than ${maximum} streams open here. Close those that nobody reads, or try again in a few seconds.`,
  processStreams: () => 'The service has no room for more streams just now. Try again in a few seconds.',
  answerMemory: (maximum) =>
    `The service found no room for an answer of this size within ${maximum / 1000} s. Take the large answers that you have asked for, then try again in a few seconds, or ask for smaller pages; if the operation changes something, check whether the change took effect, then retry.`,
  time: (maximum) =>
    `The operation took longer than ${maximum / 1000} s and was ended. Ask for less at once; if it changes something, check whether the change took effect, then retry.`,
};

interface Http {
  status: number;
  /** Keeps status 200 for clients that request `application/json`. */
  spec?: true;
  headers?: Record<string, string>;
}

const badRequest: Http = { status: 400, spec: true };
const answers: Partial<Record<Limit, Http>> = {
  // Closes the connection, because the rest of the body is not read.
  bytes: { status: 413, headers: { connection: 'close' } },
  operations: { status: 429, headers: { 'retry-after': '1' } },
  streams: { status: 429, headers: { 'retry-after': '5' } },
  organizationStreams: { status: 429, headers: { 'retry-after': '5' } },
  processStreams: { status: 503, headers: { 'retry-after': '5' } },
  answerMemory: { status: 503, spec: true, headers: { 'retry-after': '5' } },
  time: { status: 503, spec: true, headers: { 'retry-after': '1' } },
};

/**
 * Creates the error. `maximum` is required for configurable limits; those of `time` and `answerMemory` are in
 * milliseconds.
 */
export function limitExceeded(limit: FixedLimit): GraphQLError;
export function limitExceeded(limit: SetLimit, maximum: number): GraphQLError;
export function limitExceeded(limit: Limit, maximum?: number): GraphQLError {
  const most = maximum ?? (limit in maximums ? maximums[limit as FixedLimit] : 0);
  return new GraphQLError(sentences[limit](most), {
    extensions: { code: 'LIMIT_EXCEEDED', limit, maximum: most, http: answers[limit] ?? badRequest },
  });
}
