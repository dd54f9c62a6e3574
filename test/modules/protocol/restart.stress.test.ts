/** How long it takes to end and to start again in the middle of responses, compared with a first start on the same machine. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MachineWatch } from '../../support/machine-speed.js';
import { type ModelServer, startModelServer } from '../../support/model/model-server.js';
import { killInResponses, longestMs, startProgram, stopInResponse } from './restart-stage.js';

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
  const rest = again.rest(token);
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
  const { service, usualMs } = await stopInResponse(model);
  using watch = new MachineWatch();
  const toldMs = performance.now();
  // Another signal, because the same one within a moment is the first one that npm has passed on.
  expect(await service.end('SIGINT')).toBe(1);
  expect(performance.now() - toldMs).toBeLessThan(watch.slowdown * Math.max(2000, usualMs));
});
