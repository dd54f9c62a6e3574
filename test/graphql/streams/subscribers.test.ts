/** Who follows a response: those who leave, those whose token ends, and those who may not. */
import { describe, expect, vi } from 'vitest';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import { addThread } from '../../support/threads.js';
import { nextEvent, openEvents } from '../responses/response-events.js';

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
