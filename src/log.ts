/**
 * The log: one JSON line an event on standard error, or readable lines where that is a terminal. What could hold a secret or
 * the text of a conversation is cut out by name, whoever logs it: headers, bodies, and the parameters that a failed SQL
 * statement carries along.
 */
import { type Logger, pino, stdSerializers } from 'pino';
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
  const { type, message, stack } = stdSerializers.err(error);
  const { code } = error as { code?: unknown };
  const cause = error.cause === undefined || depth > 3 ? {} : { cause: serializeError(error.cause, depth + 1) };
  return {
    type,
    ...(code === undefined ? {} : { code }),
    message: withoutValues(message),
    stack: withoutValues(stack),
    ...cause,
  };
}

/** PostgreSQL quotes offending values in its messages, and Prisma adds the failing row. */
function withoutValues(text: string): string {
  return text.replaceAll(/(Failing row contains|DETAIL:|Key) [^\n]*/g, '$1 [hidden]').slice(0, 4000);
}
