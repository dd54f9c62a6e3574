/** The log of an error has enough to find the defect, and no text of requests or messages. */

import { describe, expect, inject, it } from 'vitest';
import type { PrismaClient } from '../prisma/generated/client/client.js';
import { createPrismaClient } from '../src/database/client.js';
import { serializeError } from '../src/log.js';
import { logger } from './support/silent-logger.js';

const secret = 'The-treasure-lies-under-the-old-oak';

/** As the log writes it. */
function logged(error: unknown): { type: string; code?: string; message: string; stack: string; cause?: object } {
  return JSON.parse(JSON.stringify(serializeError(error)));
}

async function failureOf(work: (database: PrismaClient) => Promise<unknown>): Promise<unknown> {
  const database = createPrismaClient({
    url: inject('testServerUrl'),
    applicationName: 'log test',
    maxConnections: 1,
    logger,
  });
  try {
    await work(database);
  } catch (error) {
    return error;
  } finally {
    await database.$disconnect();
  }
  throw new Error('The statement should have failed.');
}

describe('an error in the log', () => {
  it('has its type, code, message, stack and causes', () => {
    const cause = Object.assign(new TypeError('no route'), { code: 'EHOSTUNREACH' });
    const line = logged(new Error('the call failed', { cause }));
    expect(line).toMatchObject({
      type: 'Error',
      message: 'the call failed',
      cause: { type: 'TypeError', code: 'EHOSTUNREACH', message: 'no route' },
    });
    expect(line.stack).toMatch(/^Error: the call failed\n +at .*log\.test\.ts/);
  });

  it('has nothing else that was attached to it', () => {
    const error = Object.assign(new Error('failed'), {
      requestBodyValues: { text: secret },
      detail: secret,
      config: { headers: { authorization: secret } },
    });
    expect(JSON.stringify(logged(error))).not.toContain(secret);
  });

  it.each<[string, (database: PrismaClient) => Promise<unknown>, RegExp, string?]>([
    [
      'arguments that Prisma refuses',
      (database) => database.feedback.create({ data: { text: secret } as never }),
      /Invalid `.*feedback\.create\(\)` invocation.* Argument `\w+` is missing/,
    ],
    [
      'a text that is no number',
      (database) => database.$queryRaw`SELECT ${secret}::int`,
      /^invalid input syntax for type integer: \[hidden\]/,
      '22P02',
    ],
    [
      'a text that is no date',
      (database) => database.$queryRaw`SELECT ${secret}::timestamptz`,
      /invalid input syntax for type timestamp with time zone: \[hidden\]/,
      '22007',
    ],
    [
      'a text that is no JSON',
      (database) => database.$queryRaw`SELECT ${secret}::jsonb`,
      /invalid input syntax for type json/,
      '22P02',
    ],
    [
      'a row that breaks a rule',
      (database) =>
        database.$executeRaw`DO $$ BEGIN CREATE TEMP TABLE t (a text CHECK (a = '')); INSERT INTO t VALUES ('The-treasure-lies-under-the-old-oak'); END $$`,
      /violates check constraint/,
      '23514',
    ],
    [
      'a missing table',
      (database) => database.$queryRaw`SELECT ${secret} FROM nothing`,
      /relation "nothing" does not exist/,
      '42P01',
    ],
  ])('of the database says what is wrong, without the values: %s', async (_what, work, message, code) => {
    const line = logged(await failureOf(work));
    expect(line.message).toMatch(message);
    expect(line.code).toBe(code);
    expect(line.stack).toContain('\n    at ');
    expect(JSON.stringify(line)).not.toContain(secret);
  });

  it('of a JSON parser does not have the text', () => {
    for (const text of [secret, `{"text": "${secret}`, `{} ${secret}`, `["${secret}",]`]) {
      try {
        JSON.parse(text);
        throw new Error('This should not be readable.');
      } catch (error) {
        expect(JSON.stringify(logged(error))).not.toContain(secret);
      }
    }
    const line = logged(new Error(`JSON parsing failed: Text: {"a": "${secret}"}.\nError message: …`));
    expect(line.message).toBe('JSON parsing failed: Text: [hidden]');
  });

  it.each(['Unexpected token ', 'Unexpected token, '])('is cut, whatever it repeats: %j', (words) => {
    expect(logged(new Error(words.repeat(50_000))).message.length).toBe(2000);
  });

  it('that is not an Error is named by its type', () => {
    expect(logged(secret)).toEqual({ type: 'string' });
    expect(logged(undefined)).toEqual({ type: 'undefined' });
  });
});
