/**
 * The log: one JSON line an event on standard error, or readable lines where that is a terminal. What could hold a secret or
 * the text of a conversation is cut out by name, whoever logs it: headers, bodies, and the parameters that a failed SQL
 * statement carries along.
 */
import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from './config.js';

export function createLogger(level: LogLevel): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: serializeError },
    redact: {
      paths: ['authorization', 'headers', 'body', '*.authorization', '*.headers', '*.body'],
      censor: '[hidden]',
    },
  };
  const stream = process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss.l' })
    : { write: (line: string) => process.stderr.write(line) };
  return pino(options, stream);
}

/** Type, code, message and stack, and those of the causes. Nothing else of an error: drivers attach whole rows to theirs. */
export function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  const describe = error.name === 'GenerationError' ? describeProviderError : serializeError;
  const cause = error.cause === undefined || depth > 3 ? {} : { cause: describe(error.cause, depth + 1) };
  const message = withoutValues(error.message);
  return {
    type: error.constructor.name,
    ...(code === undefined ? {} : { code }),
    message,
    stack: [`${error.name}: ${message}`, ...framesOf(error)].join('\n'),
    ...cause,
  };
}

/** What a provider says, its codes included, may repeat the conversation: only the kind of the error and numbers are kept. */
function describeProviderError(error: unknown): unknown {
  const { code, statusCode } = Object(error) as { code?: unknown; statusCode?: unknown };
  return {
    type: error instanceof Error ? error.constructor.name : typeof error,
    ...(typeof code === 'string' && /^(E[A-Z]{3,20}|UND_ERR_[A-Z_]{1,40})$/.test(code) ? { code } : {}),
    ...(typeof statusCode === 'number' ? { statusCode } : {}),
  };
}

/** Where it happened. The stack itself begins with the message, in full. */
function framesOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}

/** A message without what a caller sent: each of these is followed by a value, or by what a value is part of. */
function withoutValues(message: string): string {
  return quoting
    .reduce((text, pattern) => text.replaceAll(pattern, '$1[hidden]'), withoutInvocation(message))
    .slice(0, 2000);
}

const quoting = [
  // PostgreSQL: rows and keys that break a rule, and texts that are no number, date or the like.
  /(Failing row contains |DETAIL: +|Key )[^\n]*/g,
  /(: )"[^\n]*"/g,
  // JSON that cannot be read, as V8 and the AI SDK have it.
  /(Unexpected (?:non-whitespace character|token|end)[^,\n]*, )[^\n]*(?= is not valid JSON)/g,
  /((?:Text|Value): )[\s\S]*/g,
];

/** Prisma shows the call with all its arguments between its first line and its last, which says what is wrong. */
function withoutInvocation(message: string): string {
  const lines = message.trim().split('\n');
  return /^Invalid `.*` invocation/.test(lines[0] ?? '') ? `${lines[0]} ${lines.at(-1)}` : message;
}
