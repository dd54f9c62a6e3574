import { describe, expect } from 'vitest';
import { joinTokens, type ReceivedEvent } from '../../support/clients/sse.js';
import { it } from '../../support/fixtures/service.js';
import { finish, gate, httpError, reasoning, text, wait } from '../../support/model/model-script.js';
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
});

describe('GET …/response/stream › headers', () => {
  it('forbid to store, change, buffer or compress it, whatever is accepted', async ({ ada }) => {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const stream = await openRaw(ada.rest, sent, {
      headers: { accept: 'application/json', 'accept-encoding': 'gzip, br' },
    });
    expect(await stream.toEnd()).toContain('event: done');
    const names = ['content-type', 'cache-control', 'x-accel-buffering', 'content-encoding', 'content-length'];
    expect(Object.fromEntries(names.map((name) => [name, stream.headers.get(name)]))).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'content-encoding': null,
      'content-length': null,
    });
    expect(stream.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });
});

const shown = (events: ReceivedEvent[]) => events.map(({ event, data }) => [event, data['token'] ?? data['message']]);

describe('GET …/response/stream › a response that failed', () => {
  it('shows the text, then the error, live and in every replay', async ({ service, ada }) => {
    service.model.enqueue([text('So far'), text(' so good'), finish('content_filter')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const sentence = 'The content filter of the AI model blocked the response.';
    const live = await ada.rest.streamToEnd(sent);
    expect([joinTokens(live), live.at(-1)?.data]).toEqual(['So far so good', { message: sentence }]);
    const replay = await ada.rest.streamToEnd(sent);
    expect(shown(replay)).toEqual([
      ['token', 'So far so good'],
      ['error', sentence],
    ]);
    expect(replay.at(-1)).toEqual(live.at(-1));
    const behind = await ada.rest.streamToEnd(sent, { headers: { 'last-event-id': live[0]?.id ?? '' } });
    expect(joinTokens(live.slice(0, 1)) + joinTokens(behind)).toBe('So far so good');
    expect((await ada.rest.get(streamPath(sent), { headers: { 'last-event-id': live.at(-1)?.id ?? '' } })).status).toBe(
      204,
    );
  });
});

describe('GET …/response/stream › thinking and status', () => {
  it('never sends them, live or replayed, and gives no id that counts them', async ({ service, ada }) => {
    const released = gate();
    service.model.enqueue([
      ...[reasoning('Let me think. '), reasoning('Hmm.'), text('Hel'), wait(released.passed)],
      ...[reasoning('Once more.'), text('lo')],
    ]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const stream = await openRaw(ada.rest, sent);
    await stream.until(/Hel/);
    released.open();
    const live = await stream.toEnd();
    const replay = await (await openRaw(ada.rest, sent)).toEnd();
    for (const bytes of [live, replay]) {
      expect(bytes).not.toMatch(/think|Hmm|Once|status|running|queued/i);
      expect([...bytes.matchAll(/^event: (.*)$/gm)].map(([, name]) => name).filter((name) => name !== 'token')).toEqual(
        ['done'],
      );
    }
  });
});
