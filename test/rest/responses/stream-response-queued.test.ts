import { describe, expect, vi } from 'vitest';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { openRaw } from './raw-stream.js';

const it = serviceTest({ settings: { concurrency: 1, sse: { pingMs: 20, stallMs: 60_000 } } });

describe('GET …/response/stream › while the message is queued', () => {
  it('waits with the stream open, pings, and shows the response at its turn', async ({ service, ada }) => {
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
});
