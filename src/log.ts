/**
 * The log: one JSON line per event on standard error, or readable lines on a terminal. Secrets and texts of
 * conversations never reach it, whoever logs: headers and bodies are redacted by name, and errors keep only their type,
 * code, stack and a message without values.
 */
import { hostname } from 'node:os';
import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from './config.js';

/** `number` is that of this process in its group, where it has one; 0 is the primary process. */
export function createLogger(level: LogLevel, number?: number): Logger {
  const options = {
    level,
    // As in the history of a thread and in `pg_stat_activity`.
    base: {
      node: `${process.pid}@${hostname()}`,
      ...(number === undefined ? {} : { process: number, pid: process.pid }),
    },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: serializeError },
    redact: {
      paths: ['authorization', 'headers', 'body', '*.authorization', '*.headers', '*.body'],
      censor: '[hidden]',
    },
  };
  const stream = process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss.l', ...prettyOf(number) })
    : { write: (line: string) => process.stderr.write(line) };
  return pino(options, stream);
}

/** On a terminal, the number of the process begins the line, in place of two lines below it. */
function prettyOf(number: number | undefined): object {
  return number === undefined ? { ignore: 'node' } : { ignore: 'node,process,pid', messageFormat: `[${number}] {msg}` };
}

/**
 * Serializes an error: type, code, message and stack, and the same of its causes. Everything else is dropped, because
 * drivers attach whole rows.
 */
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

/**
 * Serializes an error of a provider, whose message and codes may repeat the conversation: only its type and numbers are
 * kept.
 */
function describeProviderError(error: unknown): unknown {
  const { code, statusCode } = Object(error) as { code?: unknown; statusCode?: unknown };
  return {
    type: error instanceof Error ? error.constructor.name : typeof error,
    ...(typeof code === 'string' && /^(E[A-Z]{3,20}|UND_ERR_[A-Z_]{1,40})$/.test(code) ? { code } : {}),
    ...(typeof statusCode === 'number' ? { statusCode } : {}),
  };
}

/** The frames of the stack, without the message at its beginning. */
function framesOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}

/** Removes values that callers sent from a message: each pattern is followed by such a value. */
function withoutValues(message: string): string {
  return quoting
    .reduce((text, pattern) => text.replaceAll(pattern, '$1[hidden]'), withoutInvocation(message))
    .slice(0, 2000);
}

const quoting = [
  // PostgreSQL: rows and keys that violate a constraint, and invalid texts for a type.
  /(Failing row contains |DETAIL: +|Key )[^\n]*/g,
  /(: )"[^\n]*"/g,
  // Invalid JSON, in the wording of V8 and of the AI SDK.
  /(Unexpected (?:non-whitespace character|token|end)[^,\n]{0,99}, )[^\n]{0,2000}(?= is not valid JSON)/g,
  /((?:Text|Value): )[\s\S]*/g,
];

/**
 * Removes Prisma's rendering of the call and its arguments, which stands between the first and the last line of the
 * message.
 */
function withoutInvocation(message: string): string {
  const lines = message.trim().split('\n');
  return /^Invalid `.*` invocation/.test(lines[0] ?? '') ? `${lines[0]} ${lines.at(-1)}` : message;
}
