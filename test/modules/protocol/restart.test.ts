import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RestClient, Sent } from '../../support/clients/rest-client.js';
import { joinTokens, type ReceivedEvent } from '../../support/clients/sse.js';
import { defaultScript } from '../../support/model/model-script.js';
import { type ModelServer, startModelServer } from '../../support/model/model-server.js';
import { collectEvents } from '../viewing/collect-events.js';
import { pollOf, shown, stateOf, textsOf } from '../viewing/response-facts.js';
import { killInResponses, longestMs, startProgram, stopInResponse } from './restart-stage.js';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
beforeEach(() => model.respond(() => defaultScript));
afterAll(() => model.close());

describe('a process that is killed', () => {
  it('loses nothing: after the next start every response is finished, with one whole text', {
    timeout: longestMs,
  }, async () => {
    const { settings, token, done, unseen, names, begun } = await killInResponses(model);
    const again = await startProgram(settings);
    const rest = again.rest(token);
    const seen = await Promise.all(begun.map(({ sent }) => rest.streamToEnd(sent)));
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
    // Killed between the commit of its message and its first token.
    await finished(rest, unseen);
    expect(await textsOf(rest, unseen)).toEqual(['user: unseen', 'assistant: all of unseen']);
    expect(joinTokens(await rest.streamToEnd(done))).toBe('Hello from the model.');
    await rest.answer(await rest.send(begun[0]?.sent.threadId ?? '', 'and then?'));
    expect(await again.end('SIGTERM')).toBe(0);
  });
});

describe('a process that is told to stop', () => {
  it('lets a running response finish, shows its end to the viewers, and exits with 0', {
    timeout: longestMs,
  }, async () => {
    const { service, viewer, finish } = await stopInResponse(model);
    finish();
    expect(shown(await collectEvents(viewer))).toEqual([['token', 'lo'], ['done']]);
    expect(await service.end()).toBe(0);
  });

  it('ends without its response when it is told a second time, and the next start finishes it', {
    timeout: longestMs,
  }, async () => {
    const { service, settings, token, sent, viewer } = await stopInResponse(model);
    // Another signal, because the same one within a moment is the first one that npm has passed on.
    expect(await service.end('SIGINT')).toBe(1);
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
