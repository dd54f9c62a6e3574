/** How long it takes to end and to start again in the middle of responses, compared with a first start on the same machine. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { withinMs } from '../../../src/platform/async/time-limit.js';
import { end, type Service } from '../../cli/program.js';
import { caseCount } from '../../support/case-counts.js';
import type { RestClient, Sent } from '../../support/clients/rest-client.js';
import type { PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import { MachineWatch } from '../../support/machine-speed.js';
import { text } from '../../support/model/model-script.js';
import { type ModelServer, startModelServer } from '../../support/model/model-server.js';
import { textsOf } from '../viewing/response-facts.js';
import { clientOf, firstStart, killInResponses, longestMs, startProgram, stopInResponse } from './restart-stage.js';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());

it('a process that is killed serves and completes its responses soon after the next start', {
  timeout: longestMs,
}, async () => {
  using watch = new MachineWatch();
  const { settings, usualMs, token, begun } = await killInResponses(model);
  const startedMs = performance.now();
  const again = await startProgram(settings);
  const servesAfterMs = Math.round(performance.now() - startedMs);
  const rest = clientOf(again, token);
  await Promise.all(begun.map(({ sent }) => rest.streamToEnd(sent)));
  const wholeAfterMs = Math.round(performance.now() - startedMs);
  console.log(
    `killed in ${begun.length} responses: serves after ${servesAfterMs} ms, all whole after ${wholeAfterMs} ms`,
  );
  const longest = (idleMs: number, starts: number) => watch.slowdown * Math.max(idleMs, starts * usualMs);
  expect(servesAfterMs, 'time until it serves again').toBeLessThan(longest(10_000, 4));
  expect(wholeAfterMs, 'time until all responses are complete').toBeLessThan(longest(15_000, 6));
});

it('a process that is told to stop ends at once when it is told a second time', { timeout: longestMs }, async () => {
  const { service, usualMs, token } = await firstStart(model);
  await stopInResponse(model, service, token);
  using watch = new MachineWatch();
  const toldMs = performance.now();
  // Another signal, because the same one within a moment is the first one that npm has passed on.
  expect(await end(service, 'SIGINT')).toBe(1);
  expect(performance.now() - toldMs).toBeLessThan(watch.slowdown * Math.max(2000, usualMs));
});

const rounds = caseCount('KILL_ROUNDS', { usual: 200, full: 200 });

/**
 * Sends a message, and kills the program when it is accepted, or `afterMs` later than it was sent: before the model has said
 * anything. Null where nobody knows whether it was accepted.
 */
async function killInSending(
  program: Service,
  token: string,
  { name, afterMs }: { name: string; afterMs?: number },
): Promise<Sent | null> {
  const sending = clientOf(program, token).createThread({ text: name });
  const accepted = sending.then(
    (sent) => sent,
    () => null,
  );
  await (afterMs === undefined ? accepted : withinMs(afterMs, accepted));
  await end(program, 'SIGKILL');
  return accepted;
}

/** Everything that was stored is answered. */
async function allReady(rest: RestClient): Promise<ThreadBody[]> {
  return vi.waitFor(async () => {
    const { body } = await rest.get<PageBody<ThreadBody>>('/threads?limit=200');
    expect(body.data.filter(({ state }) => state !== 'ready')).toEqual([]);
    return body.data;
  }, 30_000);
}

it(`${rounds} kills around the commit of a message lose nothing, and answer nothing twice`, {
  timeout: rounds * 30_000,
}, async () => {
  const { settings, service, token } = await firstStart(model);
  model.respond(({ body }) => [text('all of '), text(`${body.messages.at(-1)?.content}`)]);
  let program = service;
  let accepted = 0;
  let stored: ThreadBody[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const name = `number ${round}`;
    // At once when it is accepted, or at some time while it is sent.
    const killing = round % 2 === 0 ? { name } : { name, afterMs: 1 + ((round * 37) % 400) };
    const sent = await killInSending(program, token, killing);
    program = await startProgram(settings);
    const rest = clientOf(program, token);
    // Each in turn, because a response that is killed three times fails.
    stored = await allReady(rest);
    if (!sent) continue;
    accepted += 1;
    expect(await textsOf(rest, sent)).toEqual([`user: ${name}`, `assistant: all of ${name}`]);
  }
  console.log(`${rounds} kills, ${accepted} accepted, ${stored.length} stored`);
  expect(stored.length).toBeGreaterThanOrEqual(accepted);
  expect(await end(program)).toBe(0);
});
