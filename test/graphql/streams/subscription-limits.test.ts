/**
 * How many streams may be open, counted over all transports, and for how long each; and where all of a node are taken, who has the
 * most makes room for who has less, while nobody else loses a stream.
 */
import { describe, expect, vi } from 'vitest';
import { type ActiveResponse, activeThread } from '../../rest/threads/thread-stages.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { ProblemBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { allEvents, nextEvent, openEvents, textAfter } from '../responses/response-events.js';
import { StreamClient } from './stream-client.js';

const patience = { timeout: 10_000 };

const shares = { STREAMS_PER_USER: '3', STREAMS_PER_ORGANIZATION: '6', STREAMS_PER_PROCESS: '6' };
/** `shared` has places for two users of an organization, with which it is full. */
const it = serviceTest({ environment: { STREAMS_PER_USER: '2', STREAMS_PER_PROCESS: '3' } }).extend(
  'shared',
  { scope: 'file' },
  ({ startService }) => startService({ environment: shares }),
);

const restPath = ({ threadId, messageId }: ActiveResponse) =>
  `/threads/${threadId}/messages/${messageId}/response/stream`;
const subscription = ({ messageId }: ActiveResponse) => ({
  query: `subscription { responseEvents(messageId: "${messageId}") { __typename } }`,
});

/** Opens a stream of each transport, and gives back what closes it. */
async function open({ rest, graphql }: Person, active: ActiveResponse, transport: 'rest' | 'graphql') {
  const abort = new AbortController();
  if (transport === 'rest') await (await rest.stream(active, { signal: abort.signal })).next();
  else await nextEvent((await openEvents(graphql, active, abort.signal)).results);
  return () => abort.abort();
}

/** A response that has begun, and that nobody follows any more. */
async function unwatched(service: TestService, { rest }: Person): Promise<ActiveResponse> {
  const active = await activeThread({ service, rest });
  await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), patience);
  return active;
}

describe('streams beyond the limit of a user', () => {
  it('are refused by every transport, with the time to retry', async ({ service }) => {
    const ada = await service.person();
    const active = await unwatched(service, ada);
    const close = [await open(ada, active, 'rest'), await open(ada, active, 'graphql')];
    const limit = { code: 'LIMIT_EXCEEDED', limit: 'streams', maximum: 2 };

    const rest = await ada.rest.get<ProblemBody>(restPath(active));
    expect([rest.status, rest.headers.get('retry-after')]).toEqual([429, '5']);
    expect(rest.body).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      code: 'quota_exceeded',
      detail: expect.stringContaining('2 streams'),
    });

    const graphql = await openEvents(ada.graphql, active);
    expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await graphql.results.next()).value.errors[0].extensions).toEqual(limit);

    const stream = await new StreamClient(service.url, ada.token).open({ method: 'POST', body: subscription(active) });
    await stream.end;
    expect(stream.messages[0]?.payload?.errors?.[0]?.extensions).toEqual(limit);

    expect((await ada.graphql.run('{ me { sub } }')).status).toBe(200);
    for (const leave of close) leave();
    active.finish();
  });

  it('are accepted again when others have ended, in whatever way', async ({ service }) => {
    const ada = await service.person();
    const active = await unwatched(service, ada);
    for (let round = 0; round < 4; round += 1) {
      const close = await Promise.all([open(ada, active, 'rest'), open(ada, active, 'graphql')]);
      for (const leave of close) leave();
      await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), patience);
    }
    const missing = { ...active, messageId: 'msg_none' };
    for (let round = 0; round < 4; round += 1) {
      expect((await ada.rest.get(restPath(missing))).status).toBe(404);
      await ada.graphql.failure(subscription(missing));
    }
    active.finish();
    for (let round = 0; round < 4; round += 1) expect(textAfter(await allEvents(ada.graphql, active))).toBe('Hello');
  });

  it('do not count for anybody else, until the process is full', async ({ service }) => {
    const [ada, bob] = [await service.person(), await service.person()];
    const active = await unwatched(service, ada);
    const close = [
      await open(ada, active, 'rest'),
      await open(ada, active, 'graphql'),
      await open(bob, active, 'rest'),
    ];
    const full = await bob.rest.get<ProblemBody>(restPath(active));
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

/** Streams of a running response, opened one after the other; `ended` settles when the service ends one. */
class Streams {
  readonly open: { ended: Promise<string[]>; abort: AbortController }[] = [];

  constructor(
    private readonly person: Person,
    readonly active: ActiveResponse,
  ) {}

  async add(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const abort = new AbortController();
      const events = await this.person.rest.stream(this.active, { signal: abort.signal });
      const first = (await events.next()).value;
      this.open.push({ abort, ended: rest(events, [String(first?.event)]) });
    }
  }

  leave(): void {
    for (const { abort } of this.open) abort.abort();
  }
}

async function rest(events: AsyncGenerator<{ event: string }>, seen: string[]): Promise<string[]> {
  try {
    for await (const { event } of events) seen.push(event);
    return seen;
  } catch (error) {
    return [`cut: ${error instanceof Error ? error.name : String(error)}`];
  }
}

async function streamsOf(service: TestService, person: Person): Promise<Streams> {
  return new Streams(person, await activeThread({ service, rest: person.rest }));
}

const nobodyReads = (service: TestService) =>
  vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), patience);

describe('a node whose streams are all taken', () => {
  it('opens one for another organization, and ends the oldest of whoever has the most', async ({ shared: service }) => {
    const greedy = await newcomer(service);
    const accounts = [greedy, await colleagueOf(service, greedy)];
    const own = await Promise.all(accounts.map((person) => streamsOf(service, person)));
    const bob = await streamsOf(service, await newcomer(service));
    await nobodyReads(service);
    for (const streams of own) await streams.add(3);
    await bob.add(2);
    expect(await own[0]?.open[0]?.ended, 'the oldest stream of one account').toEqual(['token']);
    expect(await own[1]?.open[0]?.ended, 'the oldest stream of the other account').toEqual(['token']);

    const refused = await accounts[0]?.rest.get<ProblemBody>(
      `/threads/${own[0]?.active.threadId}/messages/${own[0]?.active.messageId}/response/stream`,
    );
    expect([refused?.status, refused?.body.code], 'the account comes back for the place it gave').toEqual([
      503,
      'service_unavailable',
    ]);
    bob.active.finish();
    expect(await Promise.all(bob.open.map(({ ended }) => ended))).toEqual([
      ['token', 'token', 'done'],
      ['token', 'token', 'done'],
    ]);
    for (const streams of own) {
      streams.leave();
      streams.active.finish();
    }
  });

  it('makes room within an organization too, and lets who lost a stream resume it', async ({ shared: service }) => {
    const ada = await newcomer(service);
    const colleague = await colleagueOf(service, ada);
    const [third, many, few] = [
      await streamsOf(service, ada),
      await streamsOf(service, ada),
      await streamsOf(service, colleague),
    ];
    await nobodyReads(service);
    const last = await streamsOf(service, await newcomer(service));
    await nobodyReads(service);
    await many.add(3);
    await last.add(3);
    await few.add(1);
    expect(await many.open[0]?.ended).toEqual(['token']);
    for (const streams of [last, few]) streams.leave();
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(2), patience);
    many.active.finish();
    const resumed = await ada.rest.streamToEnd(many.active, { headers: { 'last-event-id': '1-3' } });
    expect(resumed.map(({ event, data }) => [event, data])).toEqual([
      ['token', { token: 'lo' }],
      ['done', {}],
    ]);
    for (const { active } of [third, few, last]) active.finish();
  });

  it('ends a reserved stream and its connection cleanly when its place goes to somebody else', async ({
    shared: service,
  }) => {
    const [ada, bob] = [await newcomer(service), await newcomer(service)];
    const client = new StreamClient(service.url, ada.token);
    const colleague = new StreamClient(service.url, (await colleagueOf(service, ada)).token);
    const token = await client.reserve();
    const stream = await client.open({ stream: token });
    for (let n = 0; n < 2; n += 1) await client.reserve();
    for (let n = 0; n < 3; n += 1) await colleague.reserve();
    await new StreamClient(service.url, bob.token).reserve();
    await stream.end;
    expect((await client.fetch({ method: 'GET', stream: token, accept: 'text/event-stream' })).status).toBe(404);
  });

  it('refuses an organization that has its full share, with 429', async ({ shared: service }) => {
    const limited = { STREAMS_PER_USER: '2', STREAMS_PER_ORGANIZATION: '2', STREAMS_PER_PROCESS: '9' };
    const node = await service.addNode(limited);
    const ada = await newcomer(service);
    const colleague = await colleagueOf(service, ada);
    const active = await activeThread({ service, rest: ada.rest });
    const graphql = new GraphQLClient({ origin: node.url, token: ada.token });
    const abort = new AbortController();
    for (let n = 0; n < 2; n += 1) await nextEvent((await openEvents(graphql, active, abort.signal)).results);
    const refused = await openEvents(new GraphQLClient({ origin: node.url, token: colleague.token }), active);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await refused.results.next()).value.errors[0].extensions).toEqual({
      code: 'LIMIT_EXCEEDED',
      limit: 'organizationStreams',
      maximum: 2,
    });
    abort.abort();
    active.finish();
  });
});
