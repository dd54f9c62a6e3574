/**
 * `responseEvents` over server-sent events: what comes in which order, and who leaves or may not. That nothing is lost
 * or repeated where a viewer comes back is in `test/parity/stream.test.ts`, its headers in `test/rest/http/http-content-coding.test.ts`.
 */
import { describe, expect, vi } from 'vitest';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import { breakConnection, gate, httpError, reasoning, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';
import {
  allEvents,
  type EventResult,
  nextEvent,
  openEvents,
  type ReceivedEvent,
  remainingEvents,
  textAfter,
} from '../responses/response-events.js';

const kindsOf = (events: readonly { type: string }[]) => events.map(({ type }) => type.replace('Response', ''));

/** The next event but that the model is called once more, of which a viewer may learn too late. */
async function afterRetry(results: AsyncGenerator<EventResult>): Promise<ReceivedEvent> {
  const event = await nextEvent(results);
  return event.type === 'ResponseRetrying' ? nextEvent(results) : event;
}

describe('the stream of a response', () => {
  it('begins with the status, has thinking and tokens as they come, then done', async ({ service, ada, graphql }) => {
    const [thought, said] = [gate(), gate()];
    service.model.enqueue([reasoning('Hm.'), wait(thought.passed), text('Hel'), wait(said.passed), text('lo')]);
    const { results } = await openEvents(graphql, await ada.rest.createThread({ text: 'Hi' }));
    const first = await nextEvent(results);
    expect(first).toMatchObject({ type: 'ResponseStatus', status: expect.stringMatching(/QUEUED|RUNNING/) });
    let event = await nextEvent(results);
    if (first.status === 'QUEUED') {
      expect(event).toMatchObject({ type: 'ResponseStatus', status: 'RUNNING' });
      event = await nextEvent(results);
    }
    expect(event).toMatchObject({ type: 'ResponseThinking', text: 'Hm.' });
    thought.open();
    expect(await nextEvent(results)).toEqual({ type: 'ResponseToken', token: 'Hel', cursor: '1-3-3' });
    said.open();
    expect(await nextEvent(results)).toMatchObject({ type: 'ResponseToken', token: 'lo' });
    expect(await nextEvent(results)).toEqual({ type: 'ResponseDone', cursor: '1-end' });
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  it('omits thinking on request', async ({ service, ada, graphql }) => {
    const go = gate();
    service.model.enqueue([reasoning('Hm.'), wait(go.passed), text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const { results } = await openEvents(graphql, { ...sent, thinking: false });
    await nextEvent(results);
    go.open();
    const kinds = kindsOf(await remainingEvents(results));
    expect(kinds).not.toContain('Thinking');
    expect(kinds).toContain('Token');
  });

  it('ends with the error of a response that failed', async ({ service, ada, graphql }) => {
    const hold = gate();
    service.model.enqueue([text('Hel'), wait(hold.passed), { do: 'finish', reason: 'content_filter' }]);
    const { results } = await openEvents(graphql, await ada.rest.createThread({ text: 'Hi' }));
    while ((await nextEvent(results)).type !== 'ResponseToken');
    hold.open();
    expect(await nextEvent(results)).toEqual({
      ...{ type: 'ResponseError', code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) },
      cursor: '1-end',
    });
    expect(await results.next()).toMatchObject({ done: true });
  });

  it('sends a restart after a lost attempt, followed by the whole text', async ({ service, ada, graphql }) => {
    const hold = gate();
    service.model.enqueue([text('Hel'), wait(hold.passed), breakConnection()], [text('Good'), text(' morning')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const { results } = await openEvents(graphql, sent);
    while ((await nextEvent(results)).type !== 'ResponseToken');
    hold.open();
    expect(await afterRetry(results)).toEqual({ type: 'ResponseRestarted', cursor: '2-0' });
    const rest = await remainingEvents(results);
    expect(textAfter(rest)).toBe('Good morning');
    expect(kindsOf(rest).at(-1)).toBe('Done');
  });
});

describe('a call of the model that fails before it says anything', () => {
  const retrying = {
    ...{ type: 'ResponseRetrying', cursor: '1-0', call: 2, maxCalls: 4 },
    ...{ code: 'model_unavailable', message: 'The AI model is unavailable.' },
  };

  /** A response whose second call says nothing until `goOn` is called. */
  async function repeated(service: TestService, ada: Person) {
    const second = gate();
    service.model.enqueue([httpError(503)], [wait(second.passed), reasoning('Hm.'), text('Good morning')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    return { sent, goOn: second.open };
  }

  async function untilRetrying(results: AsyncGenerator<EventResult>): Promise<ReceivedEvent> {
    for (;;) {
      const event = await nextEvent(results);
      if (event.type !== 'ResponseStatus') return event;
    }
  }

  it('is told to viewers who wait and to those who come then, on every node', async ({ service, ada, graphql }) => {
    const api = await service.addNode({ ROLE: 'api' });
    const elsewhere = new GraphQLClient({ origin: api.url, token: ada.token });
    const { sent, goOn } = await repeated(service, ada);
    const viewers = [await openEvents(graphql, sent), await openEvents(elsewhere, { ...sent, thinking: false })];
    for (const { results } of viewers) expect(await untilRetrying(results)).toEqual(retrying);
    const late = await openEvents(elsewhere, sent);
    expect(await untilRetrying(late.results)).toEqual(retrying);
    goOn();
    for (const { results } of [...viewers, late]) {
      const rest = await remainingEvents(results);
      expect(textAfter(rest)).toBe('Good morning');
      expect(kindsOf(rest)).not.toContain('Retrying');
    }
  });

  it('is not told once the next call has said something, nor over REST', async ({ service, ada, graphql }) => {
    const [thought, said] = [gate(), gate()];
    service.model.enqueue([httpError(503)], [reasoning('Hm.'), wait(thought.passed), text('Good'), wait(said.passed)]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const first = await openEvents(graphql, sent);
    while ((await nextEvent(first.results)).type !== 'ResponseThinking');
    const overRest = await ada.rest.stream(sent);
    const withoutThinking = await openEvents(graphql, { ...sent, thinking: false });
    await nextEvent(withoutThinking.results);
    thought.open();
    expect((await overRest.next()).value).toMatchObject({ event: 'token', data: { token: 'Good' } });
    expect(await nextEvent(withoutThinking.results)).toMatchObject({ type: 'ResponseToken', token: 'Good' });
    said.open();
    expect(kindsOf(await allEvents(graphql, sent))).not.toContain('Retrying');
  });
});

const patience = { timeout: 10_000 };

describe('subscribers', () => {
  it('are forgotten when they leave, also while there is nothing to send', async ({ service, ada, graphql }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const abort = new AbortController();
    const { results } = await openEvents(graphql, active, abort.signal);
    await nextEvent(results);
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(1), patience);
    abort.abort();
    await vi.waitFor(
      () => expect(service.service.tokenLog.stats()).toMatchObject({ watched: 0, readers: 0, waiting: 0 }),
      patience,
    );
    active.finish();
    await ada.rest.answer(active);
  });

  it('get no further event once the service is notified that their token is revoked', async ({ service, ada }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const { results } = await openEvents(service.graphql(await service.token(ada.id, ['threads:read'])), active);
    await nextEvent(results);
    await nextEvent(results);
    await service.database.accessToken.updateMany({
      where: { scopes: { equals: ['threads:read'] } },
      data: { revokedAt: new Date() },
    });
    // It ends while the model has more to say.
    expect(await results.next()).toEqual({ done: true, value: undefined });
    active.finish();
    await ada.rest.answer(active);
  });
});

describe('a subscription to a response that cannot be followed', () => {
  it('is an error before any event', async ({ service, ada, graphql }) => {
    const { messageId } = await ada.rest.readyThread({ text: 'Hi' });
    const { status, results } = await openEvents(graphql, { messageId, threadId: await addThread(service, ada) });
    expect(status).toBe(200);
    const { value } = await results.next();
    expect(value?.data?.responseEvents).toBeUndefined();
    expect(value?.errors?.[0]?.extensions?.['code']).toBe('NOT_FOUND');
    expect(await results.next()).toMatchObject({ done: true });
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), patience);
  });

  it('is an answer in JSON for a client that does not want a stream', async ({ graphql }) => {
    const { status, body } = await graphql.run('subscription { responseEvents(messageId: "x") { __typename } }', {
      accept: 'application/json',
    });
    expect([status, body.errors?.[0]?.extensions?.['code']]).toEqual([200, 'NOT_FOUND']);
  });
});
