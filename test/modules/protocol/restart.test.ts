/**
 * A program that is killed in the middle of responses, with the database that is its own. That one which is told to stop lets them
 * finish, and ends at once when it is told a second time, is in `test/cli/processes.test.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RestClient, Sent } from '../../support/clients/rest-client.js';
import { joinTokens, type ReceivedEvent } from '../../support/clients/sse.js';
import { type ModelServer, startModelServer } from '../../support/model/model-server.js';
import { pollOf, shown, stateOf, textsOf } from '../viewing/response-facts.js';
import { clientOf, killInResponses, longestMs, startProgram } from './restart-stage.js';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());

it('a process that is killed loses nothing: the next start finishes what it had begun', {
  timeout: longestMs,
}, async () => {
  const killed = await killInResponses(model);
  const next = await startProgram(killed.settings);
  await expectFinished(clientOf(next, killed.token), killed);
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
