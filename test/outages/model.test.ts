/** A model that is slow, or away for a while, as a client of REST sees it; the service itself stays ready meanwhile. */
import { describe, expect, vi } from 'vitest';
import { collectEvents } from '../modules/viewing/collect-events.js';
import { pollOf, rowOf, shown, stateOf, textsOf } from '../modules/viewing/response-facts.js';
import type { Sent } from '../support/clients/rest-client.js';
import { joinTokens } from '../support/clients/sse.js';
import { serviceTest } from '../support/fixtures/service.js';
import { gate, text, wait } from '../support/model/model-script.js';
import { startModelServer } from '../support/model/model-server.js';
import { DroppingProxy } from '../support/network/dropping-proxy.js';
import type { Person, TestService } from '../support/service.js';

const retry = { maxCalls: 1000, maxUnseenTries: 1000, baseMs: 5, maxMs: 50 };
const it = serviceTest()
  .extend('model', { scope: 'file' }, () => startModelServer())
  /** The way to the model, which can be broken. */
  .extend('way', { scope: 'file' }, ({ model }) => DroppingProxy.start(model.url))
  .extend('service', { scope: 'file' }, ({ model, way, startService }, { onCleanup }) => {
    onCleanup(async () => {
      await way.close();
      await model.close();
    });
    return startService({ settings: { retry }, environment: { AI_BASE_URL: `${way.origin}/v1` } });
  });

const never = new Promise(() => undefined);

async function expectInProgress(service: TestService, ada: Person, sent: Sent): Promise<void> {
  expect([await stateOf(ada.rest, sent), await pollOf(ada.rest, sent), await readiness(service)]).toEqual([
    'active',
    [202, undefined],
    200,
  ]);
}

async function expectWhole(service: TestService, ada: Person, sent: Sent, answer: string): Promise<void> {
  expect([await stateOf(ada.rest, sent), await pollOf(ada.rest, sent), await readiness(service)]).toEqual([
    'ready',
    [200, undefined],
    200,
  ]);
  expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', `assistant: ${answer}`]);
  expect(joinTokens(await ada.rest.streamToEnd(sent))).toBe(answer);
}

async function readiness(service: TestService): Promise<number> {
  return (await fetch(`${service.url}/readyz`)).status;
}

describe('a model that', { timeout: 60_000 }, () => {
  it('speaks slowly is shown as it speaks, a character at a time', async ({ model, service, ada }) => {
    const answer = [...'Slowly, but surely.'];
    const gates = answer.map(() => gate());
    model.enqueue(answer.flatMap((character, index) => [text(character), wait(gates[index]?.passed ?? never)]));
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const viewer = await ada.rest.stream(sent);
    for (const [index, token] of answer.entries()) {
      expect((await viewer.next()).value).toMatchObject({ event: 'token', data: { token } });
      if (index === 1) await expectInProgress(service, ada, sent);
      gates[index]?.open();
    }
    expect(shown(await collectEvents(viewer))).toEqual([['done']]);
    expect(await rowOf(service, sent)).toMatchObject({ attempt: 1 });
    await expectWhole(service, ada, sent, answer.join(''));
  });

  it('goes down in the middle of a text and comes up after a while, finishes every response', async ({
    model,
    way,
    service,
    ada,
  }) => {
    model.enqueue(...Array.from({ length: 3 }, () => [text('Half'), wait(never)]));
    const begun = await Promise.all(
      [1, 2, 3].map(async () => {
        const sent = await ada.rest.createThread({ text: 'Hi' });
        const viewer = await ada.rest.stream(sent);
        expect((await viewer.next()).value).toMatchObject({ event: 'token', data: { token: 'Half' } });
        return { sent, viewer };
      }),
    );
    way.goDown();
    for (const { viewer } of begun) {
      expect(shown(await collectEvents(viewer))).toEqual([['error', expect.stringContaining('starts over')]]);
    }
    const late = await ada.rest.createThread({ text: 'Hi' });
    const all = [...begun.map(({ sent }) => sent), late];
    const viewers = all.map((sent) => ada.rest.streamToEnd(sent));
    await vi.waitFor(async () => expect(await stateOf(ada.rest, late)).toBe('active'), { timeout: 20_000 });
    for (const sent of all) await expectInProgress(service, ada, sent);
    way.comeBack();
    for (const events of await Promise.all(viewers)) expect(joinTokens(events)).toBe('Hello from the model.');
    for (const sent of all) await expectWhole(service, ada, sent, 'Hello from the model.');
  });
});
