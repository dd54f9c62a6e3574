/**
 * `responseEvents` over server-sent events: what comes in which order. That nothing is lost or repeated where a viewer comes back is in
 * `test/parity/stream.test.ts`.
 */
import { describe, expect } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import { breakConnection, gate, httpError, reasoning, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import {
  allEvents,
  type EventResult,
  nextEvent,
  openEvents,
  type ReceivedEvent,
  textAfter,
} from '../responses/response-events.js';

const kindsOf = (events: readonly { type: string }[]) => events.map(({ type }) => type.replace('Response', ''));

/** The next event but that the model is called once more, of which a viewer may learn too late. */
async function afterRetry(results: AsyncGenerator<EventResult>): Promise<ReceivedEvent> {
  const event = await nextEvent(results);
  return event.type === 'ResponseRetrying' ? nextEvent(results) : event;
}

describe('the stream of a response', () => {
  it('is a stream of server-sent events that is neither cached nor buffered by a proxy', async ({ ada, graphql }) => {
    const { status, headers, results } = await openEvents(graphql, await ada.rest.readyThread({ text: 'Hi' }));
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers.has('content-encoding')).toBe(false);
    await results.return(undefined);
  });

  it('begins with the status, and has thinking and tokens as they come, then done', async ({
    service,
    ada,
    graphql,
  }) => {
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
    const kinds: string[] = [];
    for await (const { data } of results) kinds.push(data?.responseEvents.type ?? '');
    expect(kinds).not.toContain('ResponseThinking');
    expect(kinds).toContain('ResponseToken');
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
    const rest = [];
    for await (const { data } of results) if (data) rest.push(data.responseEvents);
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

  it('is told to viewers who wait and to viewers who come during it, on every node', async ({
    service,
    ada,
    graphql,
  }) => {
    const api = await service.addNode({ ROLE: 'api' });
    const elsewhere = new GraphQLClient({ origin: api.url, token: ada.token });
    const { sent, goOn } = await repeated(service, ada);
    const viewers = [await openEvents(graphql, sent), await openEvents(elsewhere, { ...sent, thinking: false })];
    for (const { results } of viewers) expect(await untilRetrying(results)).toEqual(retrying);
    const late = await openEvents(elsewhere, sent);
    expect(await untilRetrying(late.results)).toEqual(retrying);
    goOn();
    for (const { results } of [...viewers, late]) {
      const rest: ReceivedEvent[] = [];
      for await (const { data } of results) if (data) rest.push(data.responseEvents);
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
