/** `responseEvents` over server-sent events: what comes in which order, and that nothing is lost or repeated. */
import { describe, expect } from 'vitest';
import { activeThread } from '../../rest/threads/thread-stages.js';
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

/** A finished response of three pieces of text, with thinking before. */
async function finished(service: TestService, ada: Person) {
  service.model.enqueue([reasoning('Let me see.'), text('Wait'), text(' – 👍'), text(' done')]);
  return ada.rest.readyThread({ text: 'Hi' });
}

describe('the stream of a response', () => {
  it('is a stream of server-sent events that is neither cached nor buffered by a proxy', async ({
    service,
    ada,
    graphql,
  }) => {
    const { status, headers, results } = await openEvents(graphql, await finished(service, ada));
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

  it('sends done only when the thread accepts the next message', async ({ service, ada, graphql }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const { results } = await openEvents(graphql, active);
    await nextEvent(results);
    active.finish();
    for (;;) if ((await nextEvent(results)).type === 'ResponseDone') break;
    const sent = await ada.rest.send(active.threadId, 'And now?');
    expect(kindsOf(await allEvents(graphql, sent)).at(-1)).toBe('Done');
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

  it('is followed by a restart if viewers have its text', async ({ service, ada, graphql }) => {
    const [breaks, second] = [gate(), gate()];
    service.model.enqueue([text('Hel'), wait(breaks.passed), breakConnection()], [wait(second.passed), text('Good')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const { results } = await openEvents(graphql, sent);
    while ((await nextEvent(results)).type !== 'ResponseToken');
    breaks.open();
    expect(await afterRetry(results)).toEqual({ type: 'ResponseRestarted', cursor: '2-0' });
    second.open();
    expect(await nextEvent(results)).toMatchObject({ type: 'ResponseToken', token: 'Good' });
  });
});

describe('after', () => {
  it('resumes after every cursor of a finished response, without gap or repeat, and has no event after the last', async ({
    service,
    ada,
    graphql,
  }) => {
    const sent = await finished(service, ada);
    const events = await allEvents(graphql, sent);
    expect(textAfter(events)).toBe('Wait – 👍 done');
    for (const [index, { cursor }] of events.entries()) {
      const more = await allEvents(graphql, { ...sent, after: cursor });
      expect(textAfter(events.slice(0, index + 1)) + textAfter(more)).toBe('Wait – 👍 done');
      if (index === events.length - 1) expect(more).toEqual([]);
    }
  });

  it('accepts the ids of the REST stream, and REST accepts its cursors', async ({ service, ada, graphql }) => {
    const sent = await finished(service, ada);
    for (const { id = '', event } of await ada.rest.streamToEnd(sent)) {
      const more = await allEvents(graphql, { ...sent, after: id });
      expect(kindsOf(more).at(-1)).toBe(event === 'done' ? undefined : 'Done');
      expect('Wait – 👍 done').toContain(textAfter(more));
    }
    const [, token] = await allEvents(graphql, { ...sent, after: '1-4', thinking: false });
    const events = await ada.rest.streamToEnd(sent, { headers: { 'last-event-id': '1-4' } });
    expect(events[0]?.data).toEqual({ token: token?.token });
  });

  it('resumes in the middle of a running response', async ({ service, ada, graphql }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const { results } = await openEvents(graphql, { ...active, after: '1-2' });
    expect(await nextEvent(results)).toEqual({ type: 'ResponseStatus', status: 'RUNNING', cursor: '1-2' });
    expect(await nextEvent(results)).toEqual({ type: 'ResponseToken', token: 'l', cursor: '1-3' });
    active.finish();
    expect(await nextEvent(results)).toEqual({ type: 'ResponseToken', token: 'lo', cursor: '1-5' });
  });

  it('begins at the beginning where it is no cursor of the response', async ({ service, ada, graphql }) => {
    const sent = await finished(service, ada);
    for (const after of ['', 'nonsense', '9-3', '1-9999', 'a\u0000', null]) {
      expect(textAfter(await allEvents(graphql, { ...sent, after })), String(after)).toBe('Wait – 👍 done');
    }
  });
});
