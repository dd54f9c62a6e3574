import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../database/sandbox.js';
import type { RestClient, Sent } from '../../support/clients/rest-client.js';
import { joinTokens, type ReceivedEvent } from '../../support/clients/sse.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { MachineWatch } from '../../support/machine-speed.js';
import { defaultScript, gate, text, wait } from '../../support/model/model-script.js';
import { type ModelServer, startModelServer } from '../../support/model/model-server.js';
import { ChildService } from '../tokens/child-service.js';
import { collectEvents } from '../viewing/collect-events.js';
import { pollOf, shown, stateOf, textsOf } from '../viewing/response-facts.js';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
beforeEach(() => model.respond(() => defaultScript));
afterAll(() => model.close());

/** Programs start several times in a test, which takes a busy machine a while. */
const longestMs = 300_000;

async function environment(): Promise<Record<string, string>> {
  const dataDir = await temporaryDirectory();
  await copySchemaCluster(dataDir);
  return { DATA_DIR: dataDir, AI_MODEL: 'compatible:scripted', AI_BASE_URL: model.url, LOG_LEVEL: 'info' };
}

/** It is killed at the end of the test, if it still runs then. */
async function startProgram(settings: Record<string, string>): Promise<ChildService> {
  const program = await ChildService.start(settings);
  onTestFinished(() => program[Symbol.asyncDispose]());
  return program;
}

/** A response that has begun, and the first event that its viewer was shown. */
async function begin(rest: RestClient, name: string) {
  const sent = await rest.createThread({ text: name });
  const viewer = await rest.stream(sent);
  const first: ReceivedEvent = (await viewer.next()).value;
  return { sent, viewer, first };
}

describe('a process that is killed', () => {
  it('loses nothing: after the next start every response is finished, with one whole text', {
    timeout: longestMs,
  }, async () => {
    using watch = new MachineWatch();
    const settings = await environment();
    const firstMs = performance.now();
    const killed = await startProgram(settings);
    const usualMs = performance.now() - firstMs;
    const token = await killed.firstToken();
    const done = await killed.rest(token).readyThread({ text: 'before' });
    model.respond(() => [text('half of'), wait(new Promise(() => undefined))]);
    const names = Array.from({ length: 20 }, (_, index) => `number ${index + 1}`);
    const begun = await Promise.all(names.map((name) => begin(killed.rest(token), name)));
    expect(begun.map(({ first }) => first.data)).toEqual(names.map(() => ({ token: 'half of' })));
    await killed.end('SIGKILL');
    for (const { viewer } of begun) await expect(collectEvents(viewer)).rejects.toThrow();

    model.respond(({ body }) => [text('all of '), text(`${body.messages.at(-1)?.content}`)]);
    const startedMs = performance.now();
    const again = await startProgram(settings);
    const servesAfterMs = Math.round(performance.now() - startedMs);
    const rest = again.rest(token);
    const seen = await Promise.all(begun.map(({ sent }) => rest.streamToEnd(sent)));
    const wholeAfterMs = Math.round(performance.now() - startedMs);
    console.log(
      `killed in ${begun.length} responses: serves after ${servesAfterMs} ms, all whole after ${wholeAfterMs} ms`,
    );
    expect(seen.map(joinTokens)).toEqual(names.map((name) => `all of ${name}`));
    for (const [index, { sent, first }] of begun.entries()) {
      const name = names[index];
      expect(await stateOf(rest, sent)).toBe('ready');
      expect(await pollOf(rest, sent)).toEqual([200, undefined]);
      expect(await textsOf(rest, sent)).toEqual([`user: ${name}`, `assistant: all of ${name}`]);
      expect(joinTokens(await rest.streamToEnd(sent))).toBe(`all of ${name}`);
      const behind = await rest.streamToEnd(sent, { headers: { 'last-event-id': first.id ?? '' } });
      expect(shown(behind)).toEqual([['error', expect.stringContaining('starts over')]]);
    }
    expect(joinTokens(await rest.streamToEnd(done))).toBe('Hello from the model.');
    await rest.answer(await rest.send(begun[0]?.sent.threadId ?? '', 'and then?'));
    expect(await again.end('SIGTERM')).toBe(0);
    const longest = (idleMs: number, starts: number) => watch.slowdown * Math.max(idleMs, starts * usualMs);
    expect(servesAfterMs, 'time until it serves again').toBeLessThan(longest(10_000, 4));
    expect(wholeAfterMs, 'time until all responses are complete').toBeLessThan(longest(15_000, 6));
  });
});

describe('a process that is told to stop', () => {
  /** A service with one response that has begun; `finish` lets the model say the rest. */
  async function withRunningResponse() {
    const settings = await environment();
    const firstMs = performance.now();
    const service = await startProgram(settings);
    const usualMs = performance.now() - firstMs;
    const released = gate();
    model.enqueue([text('Hel'), wait(released.passed), text('lo')]);
    const token = await service.firstToken();
    const running = await begin(service.rest(token), 'Hi');
    service.signal('SIGTERM');
    await service.printed(/waiting for running responses/);
    return { settings, service, usualMs, token, ...running, finish: released.open };
  }

  it('lets a running response finish, shows its end to the viewers, and exits with 0', {
    timeout: longestMs,
  }, async () => {
    const { service, viewer, finish } = await withRunningResponse();
    finish();
    expect(shown(await collectEvents(viewer))).toEqual([['token', 'lo'], ['done']]);
    expect(await service.end()).toBe(0);
  });

  it('ends at once when it is told a second time, and the next start finishes the response', {
    timeout: longestMs,
  }, async () => {
    const { service, settings, usualMs, token, sent, viewer } = await withRunningResponse();
    using watch = new MachineWatch();
    const toldMs = performance.now();
    // Another signal, because the same one within a moment is the first one that npm has passed on.
    expect(await service.end('SIGINT')).toBe(1);
    expect(performance.now() - toldMs).toBeLessThan(watch.slowdown * Math.max(2000, usualMs));
    await expect(collectEvents(viewer)).rejects.toThrow();
    const again = await startProgram(settings);
    const rest = again.rest(token);
    expect(joinTokens(await finished(rest, sent))).toBe('Hello from the model.');
    expect(await textsOf(rest, sent)).toEqual(['user: Hi', 'assistant: Hello from the model.']);
    expect(await again.end('SIGTERM')).toBe(0);
  });
});

async function finished(rest: RestClient, sent: Sent): Promise<ReceivedEvent[]> {
  const events = await rest.streamToEnd(sent);
  expect(events.at(-1)?.event).toBe('done');
  return events;
}
