import { describe, expect, vi } from 'vitest';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { openRaw } from './raw-stream.js';

const it = serviceTest({ settings: { concurrency: 1, sse: { pingMs: 20, stallMs: 60_000 } } });

describe('GET …/response/stream › while the message is queued', () => {
  it('waits with the stream open, pings in silence, and shows the response when its turn comes', async ({
    service,
    ada,
  }) => {
    const first = gate();
    service.model.enqueue([wait(first.passed), text('first')], [text('second')]);
    await ada.rest.createThread({ text: 'Busy' });
    await vi.waitFor(() => expect(service.model.requests).toHaveLength(1), { timeout: 10_000 });
    const sent = await ada.rest.createThread({ text: 'Queued' });
    const stream = await openRaw(ada.rest, sent);
    await stream.until(/(: ping\n\n){4}/);
    expect((await ada.rest.get<ThreadBody>(`/threads/${sent.threadId}`)).body.state).toBe('waiting');
    expect(stream.text).not.toContain('event:');
    first.open();
    expect((await stream.toEnd()).replaceAll(/(: ping|id: .*)\n+/g, '')).toBe(
      'retry: 2000\n\nevent: token\ndata: {"token":"second"}\nevent: done\ndata: {}\n',
    );
  });

  it('pings while the model is silent, between frames and never inside one', async ({ service, ada }) => {
    const [begun, released] = [gate(), gate()];
    service.model.enqueue([text('Hel'), wait(begun.passed), text('lo'), wait(released.passed)]);
    const stream = await openRaw(ada.rest, await ada.rest.createThread({ text: 'Hi' }));
    await stream.until(/Hel[\s\S]*(: ping\n\n){2}/);
    begun.open();
    await stream.until(/lo"[\s\S]*(: ping\n\n){2}/);
    released.open();
    const blocks = (await stream.toEnd()).split('\n\n');
    const frames = blocks.filter((block) => block !== ': ping');
    expect(frames.map((frame) => frame.split('\n')[0])).toEqual([
      'retry: 2000',
      'event: token',
      'event: token',
      'event: done',
      '',
    ]);
  });
});
