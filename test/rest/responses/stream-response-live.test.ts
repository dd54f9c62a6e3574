import { describe, expect, vi } from 'vitest';
import type { PollBody, ThreadBody } from '../../support/clients/rest-types.js';
import { joinTokens } from '../../support/clients/sse.js';
import { it } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { openRaw } from './raw-stream.js';

const patience = { timeout: 10_000 };

/** A response that says "one", and " two" and " three" when it is told to. */
async function threeWords(service: TestService, ada: Person) {
  const [two, three] = [gate(), gate()];
  service.model.enqueue([text('one'), wait(two.passed), text(' two'), wait(three.passed), text(' three')]);
  return { sent: await ada.rest.createThread({ text: 'Count' }), sayTwo: two.open, sayThree: three.open };
}

const token = (value: string) => expect.objectContaining({ event: 'token', data: { token: value } });
const done = expect.objectContaining({ event: 'done', data: {} });

describe('GET …/response/stream › while the model speaks', () => {
  it('shows each token before the model sends the next one', async ({ service, ada }) => {
    const { sent, sayTwo, sayThree } = await threeWords(service, ada);
    const events = await ada.rest.stream(sent);
    expect((await events.next()).value).toEqual(token('one'));
    sayTwo();
    expect((await events.next()).value).toEqual(token(' two'));
    sayThree();
    expect((await events.next()).value).toEqual(token(' three'));
    expect((await events.next()).value).toEqual(done);
    expect(await events.next()).toMatchObject({ done: true });
  });

  // That a send right after it is always accepted, however often, is in `send-message-races.test.ts`.
  it('sends done only when the thread is ready, as a request at that moment shows', async ({ ada }) => {
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const path = `/threads/${sent.threadId}`;
    for await (const { event } of await ada.rest.stream(sent)) {
      if (event !== 'done') continue;
      expect((await ada.rest.get<ThreadBody>(path)).body.state).toBe('ready');
      const poll = await ada.rest.get<PollBody>(`${path}/messages/${sent.messageId}/response`);
      expect([poll.status, poll.body.status]).toEqual([200, 'complete']);
    }
    expect.assertions(2);
  });

  it('is not stopped by viewers who leave, and forgets them', async ({ service, ada }) => {
    const { sent, sayTwo, sayThree } = await threeWords(service, ada);
    const [stays, leaves] = [await openRaw(ada.rest, sent), await openRaw(ada.rest, sent)];
    await Promise.all([stays.until(/one/), leaves.until(/one/)]);
    const readers = (count: number) =>
      vi.waitFor(() => expect(service.service.tokenLog.stats()).toMatchObject({ readers: count }), patience);
    await readers(2);
    await leaves.leave();
    await readers(1);
    sayTwo();
    await stays.until(/two/);
    await stays.leave();
    await readers(0);
    sayThree();
    expect(joinTokens(await ada.rest.streamToEnd(sent))).toBe('one two three');
    const isForgotten = () => expect(service.service.tokenLog.stats()).toMatchObject({ readers: 0, watched: 0 });
    await vi.waitFor(isForgotten, patience);
  });
});
