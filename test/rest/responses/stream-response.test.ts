import { describe, expect, onTestFinished, vi } from 'vitest';
import { shown } from '../../modules/viewing/response-facts.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { Sent } from '../../support/clients/rest-client.js';
import type { PollBody, ThreadBody } from '../../support/clients/rest-types.js';
import { joinTokens, type ReceivedEvent } from '../../support/clients/sse.js';
import { it as test } from '../../support/fixtures/service.js';
import { finish, gate, httpError, reasoning, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { openRaw, streamPath } from './raw-stream.js';

/** `pieces` is a response whose tokens came one by one, for all who read it when it is finished. */
const it = test.extend('pieces', { scope: 'file' }, ({ service, ada }) => answerInPieces(service, ada));

const opening = 'retry: 2000\n\n: ping\n\n';

describe('GET …/response/stream › bytes', () => {
  it('sends each event as an event line, a data line, an id line and a blank line', async ({ service, ada }) => {
    const released = gate();
    service.model.enqueue([text('Hel'), wait(released.passed), text('lo "you"\n')]);
    const stream = await openRaw(ada.rest, await ada.rest.createThread({ text: 'Hi' }));
    await stream.until(/Hel/);
    released.open();
    const bytes = await stream.toEnd();
    const [first, second, last] = [...bytes.matchAll(/^id: (\S+)$/gm)].map((match) => match[1]);
    expect(bytes).toBe(
      `${opening}event: token\ndata: {"token":"Hel"}\nid: ${first}\n\n` +
        `event: token\ndata: {"token":"lo \\"you\\"\\n"}\nid: ${second}\n\n` +
        `event: done\ndata: {}\nid: ${last}\n\n`,
    );
    expect(new Set([first, second, last]).size).toBe(3);
    expect(bytes).not.toContain('\r');
  });

  it('sends an error as one event with a message, and nothing after it', async ({ service, ada }) => {
    service.model.enqueue([httpError(400)]);
    const bytes = await (await openRaw(ada.rest, await ada.rest.createThread({ text: 'Hi' }))).toEnd();
    const id = /^id: (\S+)$/m.exec(bytes)?.[1];
    expect(bytes).toBe(`${opening}event: error\ndata: {"message":"The AI model rejected the request."}\nid: ${id}\n\n`);
  });
});

describe('GET …/response/stream › a response that failed', () => {
  it('shows the text, then the error, live and in every replay', async ({ service, ada }) => {
    service.model.enqueue([text('So far'), text(' so good'), finish('content_filter')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const sentence = 'The content filter of the AI model blocked the response.';
    const live = await ada.rest.streamToEnd(sent);
    expect([joinTokens(live), live.at(-1)?.data]).toEqual(['So far so good', { message: sentence }]);
    const replay = await ada.rest.streamToEnd(sent);
    expect(shown(replay)).toEqual([
      ['token', 'So far so good'],
      ['error', sentence],
    ]);
    expect(replay.at(-1)).toEqual(live.at(-1));
    const behind = await ada.rest.streamToEnd(sent, { headers: { 'last-event-id': live[0]?.id ?? '' } });
    expect(joinTokens(live.slice(0, 1)) + joinTokens(behind)).toBe('So far so good');
    expect((await ada.rest.get(streamPath(sent), { headers: { 'last-event-id': live.at(-1)?.id ?? '' } })).status).toBe(
      204,
    );
  });
});

describe('GET …/response/stream › thinking and status', () => {
  it('never sends them, live or replayed, and gives no id that counts them', async ({ service, ada }) => {
    const released = gate();
    service.model.enqueue([
      ...[reasoning('Let me think. '), reasoning('Hmm.'), text('Hel'), wait(released.passed)],
      ...[reasoning('Once more.'), text('lo')],
    ]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const stream = await openRaw(ada.rest, sent);
    await stream.until(/Hel/);
    released.open();
    const live = await stream.toEnd();
    const replay = await (await openRaw(ada.rest, sent)).toEnd();
    for (const bytes of [live, replay]) {
      expect(bytes).not.toMatch(/think|Hmm|Once|status|running|queued/i);
      expect([...bytes.matchAll(/^event: (.*)$/gm)].map(([, name]) => name).filter((name) => name !== 'token')).toEqual(
        ['done'],
      );
    }
  });
});

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

describe('GET …/response/stream › while the message is queued', () => {
  it('waits with the stream open, pings, and shows the response at its turn', async ({ startService }) => {
    const service = await startService({ settings: { concurrency: 1, sse: { pingMs: 20, stallMs: 60_000 } } });
    const ada = await service.person();
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

describe('GET …/response/stream › 404 › while the answer to a message of the caller begins', () => {
  const hide = 'mutation ($id: ID!) { setThreadPrivacy(input: {id: $id, isPrivate: true}) { __typename } }';
  const remove = 'mutation ($id: ID!) { deleteThread(id: $id) { __typename } }';

  it('is that of a thread which was just deleted or hidden, and of another', async ({ service, ada }) => {
    const eve = await service.person({ org: 'acme' });
    // No notification may be what the node knows it by.
    const triggers = ['thread_privacy_is_said', 'thread_deletion_is_noted'];
    const turn = (how: 'DISABLE' | 'ENABLE') =>
      Promise.all(triggers.map((name) => service.sql(`ALTER TABLE thread ${how} TRIGGER ${name}`)));
    await turn('DISABLE');
    onTestFinished(async () => void (await turn('ENABLE')));
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const end = gate();
    service.model.enqueue([wait(end.passed)], [wait(end.passed)]);
    const hidden = await eve.rest.send(threadId, 'And I?');
    const deleted = await ada.rest.createThread({ text: 'Never mind' });
    expect((await ada.rest.get(streamPath({ ...deleted, threadId }))).status).toBe(404);
    await ada.graphql.data(hide, { id: threadId });
    expect((await eve.rest.get(streamPath(hidden))).status).toBe(404);
    await ada.graphql.data(remove, { id: deleted.threadId });
    expect((await ada.rest.get(streamPath(deleted))).status).toBe(404);
    end.open();
    await ada.rest.answer(hidden);
  });
});

/** A viewer of a response that has begun, and the end of what that viewer is shown. */
async function watching(service: TestService, ada: Person) {
  const released = gate();
  service.model.enqueue([text('Hel'), wait(released.passed), text('lo')]);
  const sent = await ada.rest.createThread({ text: 'Hi' });
  const eve = await service.person({ org: 'acme' });
  const stream = await openRaw(eve.rest, sent);
  await stream.until(/Hel/);
  return { sent, eve, stream, finish: released.open };
}

describe('GET …/response/stream › lost access', () => {
  it('ends the streams of a revoked token, and of a hidden thread, without an event', async ({ service, ada }) => {
    const { database } = service;
    const [revoked, hidden] = [await watching(service, ada), await watching(service, ada)];
    const where = { userId: revoked.eve.id };
    await database.accessToken.updateMany({ where, data: { revokedAt: new Date() } });
    await database.thread.update({ where: { id: hidden.sent.threadId }, data: { isPrivate: true } });
    const shown = await Promise.all([revoked.stream.toEnd(), hidden.stream.toEnd()]);
    for (const bytes of shown) expect(bytes).not.toMatch(/event: (done|error)|lo"/);
    expect((await revoked.eve.rest.get(streamPath(revoked.sent))).status).toBe(401);
    expect((await hidden.eve.rest.get(streamPath(hidden.sent))).status).toBe(404);
    revoked.finish();
    hidden.finish();
    await Promise.all([ada.rest.answer(revoked.sent), ada.rest.answer(hidden.sent)]);
  });
});

describe('GET …/response/stream › 503', () => {
  it('tells a client that begins just when the process stops to come back, as the subscription does', async ({
    service,
    ada,
  }) => {
    const node = await service.addNode({ ROLE: 'api' });
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    node.tokenLog.close();
    const reply = await service.clientOf(node, ada.token).get(streamPath(sent));
    expect([reply.status, reply.body.code, reply.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '1',
    ]);
    const query = 'subscription ($id: ID!) { responseEvents(messageId: $id) { __typename } }';
    const client = new GraphQLClient({ origin: node.url, token: ada.token });
    const { results } = await client.subscribe({ query, variables: { id: sent.messageId } });
    expect((await results.next()).value).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    await node.stop(0);
  });
});

const words = ['Grüße', ', ', '世界', '! ', '👋🏽', ' x'.repeat(3000), '\n', 'end'];
const whole = words.join('');

/** All events of a response whose tokens came one by one, and the response. */
async function answerInPieces(service: TestService, ada: Person): Promise<{ sent: Sent; events: ReceivedEvent[] }> {
  const gates = words.map(() => gate());
  service.model.enqueue(words.flatMap((word, index) => [text(word), wait(gates[index]?.passed ?? Promise.resolve())]));
  const sent = await ada.rest.createThread({ text: 'Hi' });
  const events: ReceivedEvent[] = [];
  for await (const event of await ada.rest.stream(sent)) gates[events.push(event) - 1]?.open();
  expect(joinTokens(events)).toBe(whole);
  expect(events).toHaveLength(words.length + 1);
  return { sent, events };
}

const withId = (id: string | undefined) => ({ headers: { 'last-event-id': id ?? '' } });

describe('GET …/response/stream › Last-Event-ID', () => {
  it('resumes after every id of a finished response, and of that resumption', async ({
    ada,
    pieces: { sent, events },
  }) => {
    for (const [index, { id }] of events.slice(0, -1).entries()) {
      const rest = await ada.rest.streamToEnd(sent, withId(id));
      expect(joinTokens(rest), `after ${id}`).toBe(words.slice(index + 1).join(''));
      expect(rest.at(-1)).toEqual(events.at(-1));
      if (rest.length === 1) continue;
      const further = await ada.rest.streamToEnd(sent, withId(rest[0]?.id));
      expect(joinTokens(further), `after ${id} and then ${rest[0]?.id}`).toBe(joinTokens(rest.slice(1)));
    }
  });

  it('takes last_event_id from clients that cannot set headers', async ({ ada, pieces: { sent, events } }) => {
    const response = await ada.rest.fetch(`${streamPath(sent)}?last_event_id=${events[4]?.id}`);
    const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('event: token'));
    const text = blocks.map((block) => JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '').token).join('');
    expect(text).toBe(words.slice(5).join(''));
  });

  // So that an EventSource, which reconnects to its first URL, does not come back for ever.
  it('answers 204 to the id of the last event, and prefers the header', async ({ ada, pieces: { sent, events } }) => {
    const path = `${streamPath(sent)}?last_event_id=${events[0]?.id}`;
    const { status, body } = await ada.rest.get(path, withId(events.at(-1)?.id));
    expect([status, body]).toEqual([204, undefined]);
  });

  it.for(['lastEventId', 'last-event-id', 'Last-Event-ID', 'lastEventID', 'LastEventId', 'last_event_ID'])(
    'takes the position as polyfills of EventSource spell it: %s',
    async (name, { ada, pieces: { sent, events } }) => {
      const last = events.at(-1)?.id;
      const at = (query: string, init = {}) => ada.rest.get(`${streamPath(sent)}?${query}`, init);
      expect((await at(`${name}=${last}`)).status).toBe(204);
      // A reconnecting polyfill appends to its first URL, which may hold an earlier position.
      expect((await at(`last_event_id=${events[0]?.id}&${name}=${last}`)).status).toBe(204);
      expect((await at(`last_event_id=${last}&${name}=`)).status).toBe(204);
      expect((await at(`${name}=${last}&${name}=${last}`, { headers: { prefer: 'handling=strict' } })).status).toBe(
        204,
      );
      expect((await at(`${name}=${events[0]?.id}`, withId(last))).status).toBe(204);
      expect((await at(`${name}=${events[0]?.id}&${name}=${last}`)).body).toMatchObject({
        errors: [{ parameter: 'last_event_id', message: 'must be given once' }],
      });
    },
  );

  it.for(['', ' ', 'x', '7', '-5', '1-', '1-5-', '1-5x', '1e0-5', '99-5', '1-99999999', 'NaN-end', '9-end', '世'])(
    'starts from the beginning for %j, which no event had',
    async (id, { ada, pieces }) => {
      const events = await ada.rest.streamToEnd(pieces.sent, withId(encodeURI(id)));
      expect(joinTokens(events)).toBe(whole);
      expect(events.at(-1)?.event).toBe('done');
    },
  );
});
