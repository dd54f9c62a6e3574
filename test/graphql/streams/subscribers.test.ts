/** Who follows a response: several at once, those who leave or do not read, and those who may not. */
import { describe, expect, vi } from 'vitest';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';
import { nextEvent, openEvents, textAfter } from '../responses/response-events.js';

const patience = { timeout: 10_000 };

describe('subscribers', () => {
  it('are independent: two see the whole response, and one who leaves does not affect the other', async ({
    service,
    ada,
    graphql,
  }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const [one, two, leaving] = await Promise.all([1, 2, 3].map(() => openEvents(graphql, active)));
    if (!one || !two || !leaving) throw new Error('There should be three subscriptions.');
    await nextEvent(leaving.results);
    await leaving.results.return(undefined);
    active.finish();
    for (const { results } of [one, two]) {
      const events = [];
      for await (const { data } of results) if (data) events.push(data.responseEvents);
      expect(textAfter(events)).toBe('Hello');
    }
  });

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
    const { results } = await openEvents(
      new GraphQLClient({ origin: service.url, token: await service.token(ada.id, ['threads:read']) }),
      active,
    );
    await nextEvent(results);
    await nextEvent(results);
    await service.service.database.accessToken.updateMany({
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
  type Which = (actors: { service: TestService; ada: Person }) => Promise<{ messageId: string; threadId?: string }>;
  it.for<[string, Which]>([
    ['an unknown message', async () => ({ messageId: 'msg_00000000000000000000000000' })],
    ['an id that is none', async () => ({ messageId: 'a\u0000' })],
    [
      'a message of the assistant',
      async ({ ada }) => {
        const sent = await ada.rest.readyThread({ text: 'Hi' });
        return { messageId: (await ada.rest.answer(sent))[0]?.id ?? '' };
      },
    ],
    [
      'a message of another thread than is named',
      async ({ service, ada }) => ({
        messageId: (await ada.rest.readyThread({ text: 'Hi' })).messageId,
        threadId: await addThread(service, ada),
      }),
    ],
    [
      'a message of a thread that is hidden',
      async ({ service }) => {
        const bob = await service.person();
        return bob.rest.readyThread({ text: 'Hi', is_private: true });
      },
    ],
  ])('is an error before any event: %s', async ([_what, which], { service, ada, graphql }) => {
    const { status, results } = await openEvents(graphql, await which({ service, ada }));
    expect(status).toBe(200);
    const { value } = await results.next();
    expect(value?.data?.responseEvents).toBeUndefined();
    expect(value?.errors?.[0]?.extensions?.['code']).toMatch(/^(NOT_FOUND|INVALID_INPUT)$/);
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
