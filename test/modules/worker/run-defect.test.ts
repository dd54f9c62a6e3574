/** A run in which the service itself fails: it ends as a failed response with its text, and is logged as a defect. */
import { expect, it } from 'vitest';
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { GenerationError, type GenerationEvent } from '../../../src/modules/responses/generation/processor.js';
import { openedWorld } from '../protocol/protocol-world.js';
import { oneRun } from './one-run.js';

const world = openedWorld();

/** A database whose statements with these words throw, at most so many times. */
function broken([words, times = Number.POSITIVE_INFINITY]: readonly [string, number?]): PrismaClient {
  let left = times;
  const run = async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
    const { text } = 'text' in query ? query : Prisma.sql(query, ...values);
    if (!text.includes(words) || left === 0) return world().database.$queryRaw(query, ...values);
    left -= 1;
    throw new TypeError('x is not a function');
  };
  return Object.create(world().database, { $queryRaw: { value: run } }) as PrismaClient;
}

async function* hello(): AsyncGenerator<GenerationEvent> {
  yield { type: 'text', text: 'Hello' };
}

async function* half(): AsyncGenerator<GenerationEvent> {
  yield { type: 'text', text: 'Hel' };
  throw new GenerationError('model_connection_lost', 'It broke off.', { retryable: true });
}

const settling = 'UPDATE response r SET status = ended.status';
const withText = 'INSERT INTO message ';
const failed = { status: 'failed', errorCode: 'internal_error' };

it.each([
  ['reads the conversation', hello, ['FROM message'], failed, ['user: Hi']],
  ['announces another call', half, ['SET retry ='], failed, ['user: Hi', 'assistant: Hel']],
  ['stores its outcome, once', hello, [settling, 1], failed, ['user: Hi', 'assistant: Hello']],
  ['stores its text', hello, [withText], failed, ['user: Hi']],
  ['stores any outcome', hello, [settling], { status: 'running', errorCode: null }, ['user: Hi']],
] as const)('a run that fails where it %s', async (_where, generate, breaks, response, messages) => {
  const { run, log, ended, told } = await oneRun(world(), { generate, database: broken(breaks) });
  await ended;
  expect(await world().response(run.messageId)).toMatchObject(response);
  expect(await world().messages(run.threadId)).toEqual(messages);
  expect(log.find(({ level }) => level === 50)).toMatchObject({ err: { type: 'TypeError' } });
  expect(told.at(-1)).toBe('(end)');
});
