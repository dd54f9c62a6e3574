/** Programs that are killed or told to stop while they answer. */
import { expect, onTestFinished } from 'vitest';
import { end, type Service, serve } from '../../cli/program.js';
import { temporaryDirectory } from '../../database/sandbox.js';
import { RestClient } from '../../support/clients/rest-client.js';
import type { ReceivedEvent } from '../../support/clients/sse.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { ModelServer } from '../../support/model/model-server.js';
import { collectEvents } from '../viewing/collect-events.js';

/** Programs start several times in a test, which takes a busy machine a while. */
export const longestMs = 300_000;

/** A new database for a program; `usualMs` is how long its first start took. */
export async function firstStart(model: ModelServer) {
  const dataDir = await temporaryDirectory();
  await copySchemaCluster(dataDir);
  const settings = { DATA_DIR: dataDir, AI_MODEL: 'compatible:scripted', AI_BASE_URL: model.url };
  const firstMs = performance.now();
  const service = await startProgram(settings);
  const usualMs = performance.now() - firstMs;
  const [token] = await service.prints(/skn_pat_[0-9A-Za-z]{36}/);
  return { settings, service, usualMs, token };
}

/** It is killed at the end of the test, if it still runs then. */
export async function startProgram(settings: Record<string, string>): Promise<Service> {
  const program = await serve(settings);
  onTestFinished(async () => void (await end(program, 'SIGKILL')));
  return program;
}

export function clientOf({ url }: Service, token: string): RestClient {
  return new RestClient({ origin: url, prefix: '/api/v1', token });
}

/** A response that has begun, and the first event that its viewer was shown. */
async function begin(rest: RestClient, name: string) {
  const sent = await rest.createThread({ text: name });
  const viewer = await rest.stream(sent);
  const first: ReceivedEvent = (await viewer.next()).value;
  return { sent, viewer, first };
}

/**
 * A program that was killed while it gave twenty responses, one that it had given, and one, `unseen`, that it had accepted and not
 * begun to show; the next program says `all of <name>`.
 */
export async function killInResponses(model: ModelServer) {
  const { settings, service, usualMs, token } = await firstStart(model);
  const rest = clientOf(service, token);
  const done = await rest.readyThread({ text: 'before' });
  model.respond(() => [text('half of'), wait(new Promise(() => undefined))]);
  const names = Array.from({ length: 20 }, (_, index) => `number ${index + 1}`);
  const begun = await Promise.all(names.map((name) => begin(rest, name)));
  expect(begun.map(({ first }) => first.data)).toEqual(names.map(() => ({ token: 'half of' })));
  model.respond(() => [wait(new Promise(() => undefined))]);
  const unseen = await rest.createThread({ text: 'unseen' });
  await end(service, 'SIGKILL');
  for (const { viewer } of begun) await expect(collectEvents(viewer)).rejects.toThrow();
  model.respond(({ body }) => [text('all of '), text(`${body.messages.at(-1)?.content}`)]);
  return { settings, usualMs, token, done, unseen, names, begun };
}

/** Tells a program to stop, with one response that has begun; `finish` lets the model say the rest. */
export async function stopInResponse(model: ModelServer, service: Service, token: string) {
  const released = gate();
  model.enqueue([text('Hel'), wait(released.passed), text('lo')]);
  const running = await begin(clientOf(service, token), 'Hi');
  service.child.kill('SIGTERM');
  await service.says(/waiting for running responses/);
  return { ...running, finish: released.open };
}
