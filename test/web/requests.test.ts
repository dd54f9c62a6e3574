/**
 * What pages ask the service for: each document is valid for the schema that clients are given, and a subscription leaves nothing
 * behind.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildSchema, Kind, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type Sendable, textOf } from '../../src/web/api/graphql.js';
import { releasedSink, SubscriptionController } from '../../src/web/api/stream/ended-subscriptions.js';

/** As the client of graphql-sse has it: the sink, which stays, and nothing else of the receiver. */
function subscription() {
  const seen: unknown[] = [];
  const receiver = {
    next: (value: unknown) => seen.push(value),
    error: (error: unknown) => seen.push(error),
    complete: () => seen.push('complete'),
  };
  return { seen, receiver: new WeakRef(receiver), sink: releasedSink(receiver) };
}

describe('a subscription that has ended', () => {
  it.each([
    ['completion', ['first', 'complete']],
    ['error', ['first', 'failed']],
  ])('by its %s keeps nothing of its receiver, and hands on no more', async (end, expected) => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const { seen, receiver, sink } = subscription();
    sink.next('first');
    await setImmediate();
    collectGarbage();
    expect(receiver.deref()).toBeDefined();
    if (end === 'error') sink.error('failed');
    else sink.complete();
    sink.next('second');
    sink.complete();
    expect(seen).toEqual(expected);
    await setImmediate();
    collectGarbage();
    expect(receiver.deref()).toBeUndefined();
  });

  it('has the reason of every other, which knows nothing of who ended it', () => {
    const [one, other] = [new SubscriptionController(), new SubscriptionController()];
    one.abort();
    other.abort();
    expect(one.signal.reason).toMatchObject({ name: 'AbortError' });
    expect(one.signal.reason).toBe(other.signal.reason);
  });
});

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

const folder = new URL('../../src/web/api/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('-documents.ts'),
);
const modules: Record<string, Sendable>[] = await Promise.all(files.map((name) => import(new URL(name, folder).href)));

/** Fragments are checked where they are used. */
const operations = modules
  .flatMap((module) => Object.entries(module))
  .map(([name, sendable]) => [name, parse(textOf(sendable))] as const)
  .filter(([, { definitions }]) => definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION));

it.each(operations)('the documents of the web application %s is valid for the schema', (_name, document) => {
  expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
});
