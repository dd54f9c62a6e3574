/** One database, and programs on it that end in the middle of responses, each in another way. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { end } from '../../cli/program.js';
import type { RestClient, Sent } from '../../support/clients/rest-client.js';
import { joinTokens, type ReceivedEvent } from '../../support/clients/sse.js';
import { defaultScript } from '../../support/model/model-script.js';
import { type ModelServer, startModelServer } from '../../support/model/model-server.js';
import { collectEvents } from '../viewing/collect-events.js';
import { pollOf, shown, stateOf, textsOf } from '../viewing/response-facts.js';
import { clientOf, killInResponses, longestMs, startProgram, stopInResponse } from './restart-stage.js';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());

it('a process that is killed, or told to stop, loses nothing: the next start finishes what it had begun', {
  timeout: longestMs,
}, async () => {
  const killed = await killInResponses(model);
  const { settings, token } = killed;
  const second = await startProgram(settings);
  await expectFinished(clientOf(second, token), killed);

  model.respond(() => defaultScript);
  const begun = await stopInResponse(model, second, token);
  // Another signal, because the same one within a moment is the first one that npm has passed on.
  expect(await end(second, 'SIGINT'), 'told a second time, it ends without its response').toBe(1);
  await expect(collectEvents(begun.viewer)).rejects.toThrow();
  const third = await startProgram(settings);
  const rest = clientOf(third, token);
  expect(joinTokens(await finished(rest, begun.sent))).toBe('Hello from the model.');
  expect(await textsOf(rest, begun.sent)).toEqual(['user: Hi', 'assistant: Hello from the model.']);

  const { viewer, finish } = await stopInResponse(model, third, token);
  finish();
  expect(shown(await collectEvents(viewer)), 'a running response finishes').toEqual([['token', 'lo'], ['done']]);
  expect(await third.ended).toBe(0);
});

/** Every response is finished, with one whole text. */
async function expectFinished(
  rest: RestClient,
  { done, unseen, names, begun }: Awaited<ReturnType<typeof killInResponses>>,
): Promise<void> {
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
}

async function finished(rest: RestClient, sent: Sent): Promise<ReceivedEvent[]> {
  const events = await rest.streamToEnd(sent);
  expect(events.at(-1)?.event).toBe('done');
  return events;
}
