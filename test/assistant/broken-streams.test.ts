import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultGenerationLimits } from '../../src/modules/responses/generation/limits.js';
import type { GenerationEvent } from '../../src/modules/responses/generation/processor.js';
import {
  breakConnection,
  cutStream,
  errorFrame,
  gate,
  hang,
  openStream,
  rawFrame,
  reasoning,
  text,
  toolCall,
  wait,
} from '../support/model/model-script.js';
import { type ModelServer, startModelServer } from '../support/model/model-server.js';
import { limited, listen, processorAt, user } from './listening.js';

const patience = { timeout: 10_000 };

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

/** A piece of text in a frame that also has a reason. */
const withReason = (content: string) =>
  rawFrame(JSON.stringify({ choices: [{ delta: { content }, finish_reason: 'stop' }] }));

const lost = { code: 'model_connection_lost', retryable: true };

describe('a connection', () => {
  it('that is refused is model_unavailable', async () => {
    const processor = processorAt(server);
    await server.close();
    expect((await listen(processor, 'Hi')).error).toMatchObject({ code: 'model_unavailable', retryable: true });
    server = await startModelServer();
  });

  it.each([true, false])('that breaks before the first byte is reported as lost (reset: %s)', async (reset) => {
    server.enqueue([breakConnection({ reset })]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject(lost);
  });
});

describe('a stream that ends before the model has finished', () => {
  it.each([
    ['before the first frame', []],
    ['after the headers', [openStream()]],
    ['in the middle of the text', [text('Half an ')]],
    ['in the middle of the thinking', [reasoning('Let me ')]],
    ['in the middle of a question', toolCall({ id: 'c', name: 'user_get_choice', arguments: '{"question": "Whi' })],
    [
      'after a question',
      toolCall({ id: 'c', name: 'user_get_choice', arguments: { question: 'Q', choices: ['A', 'B'] } }),
    ],
  ])('%s is a lost connection, never an answer', async (_case, steps) => {
    server.enqueue([...steps, cutStream()]);
    const { error, events } = await listen(processorAt(server), 'Hi');
    expect(error).toMatchObject(lost);
    expect(events.filter(({ type }) => type === 'choice')).toEqual([]);
  });
});

describe('an abort', () => {
  const halfQuestion = toolCall({ id: 'c', name: 'user_get_choice', arguments: '{"question' });
  it.each([
    ['before the headers', [hang()], 0],
    ['after the headers', [openStream(), hang()], 1],
    ['in the middle of the text', [text('Half an '), hang()], 2],
    ['in the middle of a question', [...halfQuestion, hang()], 4],
  ])('%s ends the generation with its reason and closes the connection', async (_case, script, eventsBefore) => {
    server.enqueue(script);
    const stop = new AbortController();
    const reason = new Error('The user pressed stop.');
    const events: GenerationEvent[] = [];
    const heard = listen(processorAt(server), 'Hi', { signal: stop.signal, events });
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), patience);
    await vi.waitFor(() => expect(events).toHaveLength(eventsBefore), patience);
    stop.abort(reason);
    expect((await heard).error).toBe(reason);
    await server.lastRequest.closed;
  });

  it('that comes first prevents the request', async () => {
    const reason = new Error('too late');
    expect((await listen(processorAt(server), 'Hi', { signal: AbortSignal.abort(reason) })).error).toBe(reason);
    expect(server.requests).toHaveLength(0);
  });
});

describe('a hanging model', () => {
  const limits = { firstEventMs: 60_000, silenceMs: 30_000, totalMs: 600_000, maxTextBytes: 1_000 };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => vi.useRealTimers();
  });

  it.each([
    ['before the headers', [hang()], [], limits.firstEventMs],
    ['after the headers', [openStream(), hang()], [], limits.firstEventMs],
    ['in the middle of the text', [text('Half'), hang()], [{ type: 'text', text: 'Half' }], limits.silenceMs],
  ])('%s is given up at the limit, and its connection is closed', async (_case, script, before, limitMs) => {
    server.enqueue(script);
    const events: GenerationEvent[] = [];
    const heard = listen(limited(processorAt(server), limits), 'Hi', { events });
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), patience);
    await vi.waitFor(() => expect(events).toEqual(before), patience);
    await vi.advanceTimersByTimeAsync(limitMs);
    expect((await heard).error).toMatchObject({ code: 'model_timeout', retryable: true });
    expect(events).toEqual(before);
    await server.lastRequest.closed;
  });

  it('is waited for in the middle of an answer of which each piece has a reason', async () => {
    const rest = gate();
    server.enqueue([...['Hel', 'l'].map(withReason), wait(rest.passed), withReason('o'), rawFrame('[DONE]')]);
    const events: GenerationEvent[] = [];
    const heard = listen(processorAt(server), 'Hi', { events });
    await vi.waitFor(() => expect(events.filter(({ type }) => type === 'text')).toHaveLength(2), patience);
    await vi.advanceTimersByTimeAsync(limits.silenceMs - 1);
    rest.open();
    expect(await heard).toMatchObject({ text: 'Hello', error: undefined });
  });

  it('is not waited for to the limit after a reason that came with text', async () => {
    server.enqueue([withReason('Hello'), hang()]);
    const events: GenerationEvent[] = [];
    const heard = listen(limited(processorAt(server), limits), 'Hi', { events });
    await vi.waitFor(() => expect(events.at(-1)).toEqual({ type: 'text', text: 'Hello' }), patience);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await heard).toMatchObject({ text: 'Hello', error: undefined });
    await server.lastRequest.closed;
  });

  it('is left at once when it has failed after a reason', async () => {
    server.enqueue([withReason('Hello'), errorFrame({ message: 'overloaded', code: 503 }), hang()]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({ code: 'model_unavailable' });
    await server.lastRequest.closed;
  });

  it('is abandoned during a summary as well', async () => {
    server.enqueue([hang()]);
    const { signal } = new AbortController();
    const processor = await processorAt(server);
    const summarizing = expect(processor.summarize({ conversation: [user('Hi')], signal })).rejects;
    const refused = summarizing.toMatchObject({ code: 'model_timeout', retryable: true });
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), patience);
    await vi.advanceTimersByTimeAsync(defaultGenerationLimits.firstEventMs);
    await refused;
    await server.lastRequest.closed;
  });
});
