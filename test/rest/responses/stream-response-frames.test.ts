import { describe, expect, vi } from 'vitest';
import { it } from '../../support/fixtures/service.js';
import { gate, httpError, text, wait } from '../../support/model/model-script.js';
import { openRaw, streamPath } from './raw-stream.js';

const opening = 'retry: 2000\n\n: ping\n\n';

describe('GET …/response/stream › bytes', () => {
  it('sends each event as an event line, a data line, an id line and a blank line', async ({ service, ada }) => {
    const released = gate();
    service.model.enqueue([text('Hel'), wait(released.passed), text('lo "you"\n')]);
    const stream = await openRaw(ada.rest, await ada.rest.createThread({ text: 'Hi' }));
    await stream.until(/Hel/);
    released.open();
    const bytes = await stream.toEnd();
    const [first, second, last] = [...bytes.matchAll(/^id: (\S+)$/gm)].map((match) => match[1]);
    expect(bytes).toBe(
      `${opening}event: token\ndata: {"token":"Hel"}\nid: ${first}\n\n` +
        `event: token\ndata: {"token":"lo \\"you\\"\\n"}\nid: ${second}\n\n` +
        `event: done\ndata: {}\nid: ${last}\n\n`,
    );
    expect(new Set([first, second, last]).size).toBe(3);
    expect(bytes).not.toContain('\r');
  });

  it('sends an error as one event with a message, and nothing after it', async ({ service, ada }) => {
    service.model.enqueue([httpError(400)]);
    const bytes = await (await openRaw(ada.rest, await ada.rest.createThread({ text: 'Hi' }))).toEnd();
    const id = /^id: (\S+)$/m.exec(bytes)?.[1];
    expect(bytes).toBe(`${opening}event: error\ndata: {"message":"The AI model rejected the request."}\nid: ${id}\n\n`);
  });

  it('sends a comment at once, before there is anything to say', async ({ service, ada }) => {
    const released = gate();
    service.model.enqueue([wait(released.passed), text('Hello')]);
    const stream = await openRaw(ada.rest, await ada.rest.createThread({ text: 'Hi' }));
    expect(await stream.until(/^: /m)).toBe(opening);
    released.open();
    expect(await stream.toEnd()).toContain('event: done');
  });
});

describe('GET …/response/stream › headers', () => {
  it('forbid to store, change, buffer or compress it', async ({ ada }) => {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const stream = await openRaw(ada.rest, sent, { headers: { 'accept-encoding': 'gzip, br' } });
    await stream.toEnd();
    const names = ['content-type', 'cache-control', 'x-accel-buffering', 'content-encoding', 'content-length'];
    expect(Object.fromEntries(names.map((name) => [name, stream.headers.get(name)]))).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'content-encoding': null,
      'content-length': null,
    });
    expect(stream.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  it('do not depend on the Accept header of the request', async ({ ada }) => {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const stream = await openRaw(ada.rest, sent, { headers: { accept: 'application/json' } });
    expect(await stream.toEnd()).toContain('event: done');
  });
});

describe('HEAD …/response/stream', () => {
  it('gives the headers and attaches nothing to the response', async ({ service, ada }) => {
    const released = gate();
    service.model.enqueue([text('Hel'), wait(released.passed), text('lo')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const head = await ada.rest.fetch(streamPath(sent), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await head.text()).toBe('');
    await vi.waitFor(() => expect(service.service.tokenLog.stats()).toMatchObject({ readers: 0, watched: 0 }), {
      timeout: 10_000,
    });
    released.open();
    expect((await ada.rest.answer(sent))[0]?.contents).toEqual([{ type: 'text', text: 'Hello' }]);
  });
});
