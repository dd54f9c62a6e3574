/** How many streams may be open, counted over all transports, and for how long each. */
import { describe, expect, vi } from 'vitest';
import { type ActiveResponse, activeThread } from '../../rest/threads/thread-stages.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { ProblemBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { allEvents, nextEvent, openEvents, textAfter } from '../responses/response-events.js';
import { StreamClient } from './stream-client.js';

const patience = { timeout: 10_000 };

const environment = { STREAMS_PER_USER: '2', STREAMS_PER_PROCESS: '3' };
const it = serviceTest({ environment });

interface Caller {
  person: Person;
  graphql: GraphQLClient;
  stream: StreamClient;
}

async function caller(service: TestService, origin = service.url): Promise<Caller> {
  const person = await service.person();
  const graphql = new GraphQLClient({ origin, token: person.token });
  return { person, graphql, stream: new StreamClient(origin, person.token) };
}

const restPath = ({ threadId, messageId }: ActiveResponse) =>
  `/threads/${threadId}/messages/${messageId}/response/stream`;
const subscription = ({ messageId }: ActiveResponse) => ({
  query: `subscription { responseEvents(messageId: "${messageId}") { __typename } }`,
});

/** Opens a stream of each transport, and gives back what closes it. */
async function open({ person, graphql }: Caller, active: ActiveResponse, transport: 'rest' | 'graphql') {
  const abort = new AbortController();
  if (transport === 'rest') await (await person.rest.stream(active, { signal: abort.signal })).next();
  else await nextEvent((await openEvents(graphql, active, abort.signal)).results);
  return () => abort.abort();
}

/** A response that has begun, and that nobody follows any more. */
async function unwatched(service: TestService, { person }: Caller): Promise<ActiveResponse> {
  const active = await activeThread({ service, rest: person.rest });
  await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), patience);
  return active;
}

describe('streams beyond the limit of a user', () => {
  it('are refused by every transport, with the time to retry', async ({ service }) => {
    const ada = await caller(service);
    const active = await unwatched(service, ada);
    const close = [await open(ada, active, 'rest'), await open(ada, active, 'graphql')];
    const limit = { code: 'LIMIT_EXCEEDED', limit: 'streams', maximum: 2 };

    const rest = await ada.person.rest.get<ProblemBody>(restPath(active));
    expect([rest.status, rest.headers.get('retry-after')]).toEqual([429, '5']);
    expect(rest.body).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      code: 'quota_exceeded',
      detail: expect.stringContaining('2 streams'),
    });

    const graphql = await openEvents(ada.graphql, active);
    expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await graphql.results.next()).value.errors[0].extensions).toEqual(limit);

    const stream = await ada.stream.open({ method: 'POST', body: subscription(active) });
    await stream.end;
    expect(stream.messages[0]?.payload?.errors?.[0]?.extensions).toEqual(limit);

    expect((await ada.graphql.run('{ me { sub } }')).status).toBe(200);
    for (const leave of close) leave();
    active.finish();
  });

  it('are accepted again when others have ended, in whatever way', async ({ service }) => {
    const ada = await caller(service);
    const active = await unwatched(service, ada);
    for (let round = 0; round < 4; round += 1) {
      const close = await Promise.all([open(ada, active, 'rest'), open(ada, active, 'graphql')]);
      for (const leave of close) leave();
      await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), patience);
    }
    const missing = { ...active, messageId: 'msg_none' };
    for (let round = 0; round < 4; round += 1) {
      expect((await ada.person.rest.get(restPath(missing))).status).toBe(404);
      await ada.graphql.failure(subscription(missing));
    }
    active.finish();
    for (let round = 0; round < 4; round += 1) expect(textAfter(await allEvents(ada.graphql, active))).toBe('Hello');
  });

  it('do not count for anybody else, until the process is full', async ({ service }) => {
    const [ada, bob] = [await caller(service), await caller(service)];
    const active = await unwatched(service, ada);
    const close = [
      await open(ada, active, 'rest'),
      await open(ada, active, 'graphql'),
      await open(bob, active, 'rest'),
    ];
    const full = await bob.person.rest.get<ProblemBody>(restPath(active));
    expect([full.status, full.body.code]).toEqual([503, 'service_unavailable']);
    const { status, results } = await openEvents(bob.graphql, active);
    expect(status).toBe(503);
    expect((await results.next()).value.errors[0].extensions).toMatchObject({ limit: 'processStreams', maximum: 3 });
    for (const leave of close) leave();
    await vi.waitFor(() => open(bob, active, 'graphql').then((leave) => leave()), patience);
    active.finish();
  });
});

it('a stream that is old ends cleanly on every transport, and its client loses nothing', async () => {
  const streams = { perUser: 10, perOrganization: 10, perProcess: 10, maxLifeMs: 1500 };
  await using aged = await startTestService({ settings: { graphql: { streams } } });
  const person = await aged.person();
  const active = await activeThread({ service: aged, rest: person.rest });

  const stream = await new StreamClient(aged.url, person.token).open({ method: 'POST', body: subscription(active) });
  const [early, rest] = await Promise.all([
    allEvents(person.graphql, active),
    person.rest.streamToEnd(active),
    stream.end,
  ]);
  expect([textAfter(early), early.at(-1)?.type]).toEqual(['Hel', 'ResponseToken']);
  expect(rest.map(({ event }) => event)).toEqual(['token']);
  expect(stream.messages.at(-1)?.event).toBe('complete');
  await vi.waitFor(() => expect(aged.service.tokenLog.stats().readers).toBe(0), patience);

  active.finish();
  await person.rest.answer(active);
  const late = await allEvents(person.graphql, { ...active, after: early.at(-1)?.cursor ?? '' });
  expect(textAfter(early) + textAfter(late)).toBe('Hello');
  expect(late.at(-1)?.type).toBe('ResponseDone');
});
