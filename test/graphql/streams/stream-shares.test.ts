/** A node whose streams are all taken: who has the most makes room for who has less, and nobody else loses a stream. */
import { describe, expect, vi } from 'vitest';
import { type ActiveResponse, activeThread } from '../../rest/threads/thread-stages.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { ProblemBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { nextEvent, openEvents } from '../responses/response-events.js';
import { StreamClient } from './stream-client.js';

const patience = { timeout: 10_000 };

const environment = { STREAMS_PER_USER: '3', STREAMS_PER_ORGANIZATION: '6', STREAMS_PER_PROCESS: '6' };
const it = serviceTest({ environment });

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
  it('opens one for another organization, and ends the oldest of whoever has the most', async ({ service }) => {
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

  it('makes room within an organization too, and lets who lost a stream resume it', async ({ service }) => {
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

  it('ends a reserved stream and its connection cleanly when its place goes to somebody else', async ({ service }) => {
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

  it('refuses an organization that has its full share, with 429', async ({ service }) => {
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
