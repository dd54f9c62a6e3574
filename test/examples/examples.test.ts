/** Every example does what it says on the real service, while its connection is torn in the middle of what it reads. */

import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { validate } from 'graphql';
import { afterEach, describe, expect, it as pure } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { type SseEvent, SseStream } from '../../src/rest/sse.js';
import { activeThread } from '../rest/threads/thread-stages.js';
import { serviceTest } from '../support/fixtures/service.js';
import { breakConnection, gate, text, wait } from '../support/model/model-script.js';
import { DroppingProxy } from '../support/network/dropping-proxy.js';
import type { Person } from '../support/service.js';
import { addThread, colleagueOf, newcomer, personWithThreads } from '../support/threads.js';
import { apolloChat } from './apollo/chat.js';
import type { Chat, Server } from './chat.js';
import type { ThreadsChange } from './documents.js';
import * as documents from './documents.js';
import { graphqlSseChat } from './graphql-sse/chat.js';
import { restChat } from './rest/chat.js';
import { urqlChat } from './urql/chat.js';

const it = serviceTest()
  .extend('shared', { scope: 'file' }, async ({ service }, { onCleanup }) => {
    const proxy = await DroppingProxy.start(service.url);
    onCleanup(() => proxy.close());
    return proxy;
  })
  .extend('proxy', ({ shared }) => {
    shared.torn = 0;
    return shared;
  });

const clients: [string, (server: Server) => Chat][] = [
  ['graphql-sse', (server) => graphqlSseChat(server)],
  ['graphql-sse with one connection', (server) => graphqlSseChat(server, true)],
  ['urql', urqlChat],
  ['Apollo Client', apolloChat],
];
const all: [string, (server: Server) => Omit<Chat, 'changes' | 'close'> & Partial<Chat>][] = [
  ...clients,
  ['REST', restChat],
];

const refusal = { name: 'RefusedError', code: expect.stringMatching(/./) };

const serverOf = ({ origin }: DroppingProxy, { token }: Person): Server => ({ origin, token });

describe.each(all)('the example for %s', (_name, open) => {
  it('lists all threads, page by page', async ({ service, proxy }) => {
    const chat = open(serverOf(proxy, await personWithThreads(service, ['a', 'b', 'c', 'd', 'e'])));
    expect(await chat.threadNames(2)).toEqual(['a', 'b', 'c', 'd', 'e']);
    chat.close?.();
  });

  it('sends a message, and reports its outcome', async ({ service, proxy }) => {
    const person = await newcomer(service);
    const chat = open(serverOf(proxy, person));
    const { threadId } = await person.rest.readyThread({ text: 'Hi' });
    const active = await activeThread({ service, rest: person.rest });
    const sent = await chat.send(threadId, 'And now?');
    expect(sent).toEqual({ messageId: expect.stringMatching(/^msg_/) });
    expect(await chat.send(active.threadId, 'Too early')).toEqual({ tryAgain: 'when ready' });
    expect(await chat.send('thr_none', 'Hi')).toEqual({ refused: expect.stringContaining('does not exist') });
    expect(await chat.send(threadId, ' ')).toEqual({ refused: expect.stringContaining('text') });
    active.finish();
    // A response that has not reached the model yet would be given the script of the next test.
    if ('messageId' in sent) await person.rest.answer({ threadId, messageId: sent.messageId });
    chat.close?.();
  });

  it('streams a response, and a broken connection loses no character', async ({ service, proxy }) => {
    const person = await newcomer(service);
    const chat = open(serverOf(proxy, person));
    const [second, third] = [gate(), gate()];
    service.model.enqueue([text('Hel'), wait(second.passed), text('lo, '), wait(third.passed), text('you 👍')]);
    const shown: string[] = [];
    for await (const soFar of chat.responseText(await person.rest.createThread({ text: 'Hi' }))) {
      shown.push(soFar);
      const next = [second, third][shown.length - 1];
      if (next) proxy.tearNext();
      next?.open();
    }
    expect(shown).toEqual(['Hel', 'Hello, ', 'Hello, you 👍']);
    expect(proxy.torn).toBe(2);
    chat.close?.();
  });

  it('starts over if the attempt was lost, and never mixes two', async ({ service, proxy }) => {
    const person = await newcomer(service);
    const chat = open(serverOf(proxy, person));
    const hold = gate();
    service.model.enqueue([text('Hel'), wait(hold.passed), breakConnection()], [text('Good'), text(' morning')]);
    const shown: string[] = [];
    for await (const soFar of chat.responseText(await person.rest.createThread({ text: 'Hi' }))) {
      shown.push(soFar);
      hold.open();
    }
    expect(shown[0]).toBe('Hel');
    expect(shown.at(-1)).toBe('Good morning');
    expect(shown.slice(1).filter((soFar) => !'Good morning'.startsWith(soFar))).toEqual([]);
    chat.close?.();
  });

  it('says that a response failed', async ({ service, proxy }) => {
    const person = await newcomer(service);
    const chat = open(serverOf(proxy, person));
    service.model.enqueue([text('Hel'), { do: 'finish', reason: 'content_filter' }]);
    const sent = await person.rest.createThread({ text: 'Hi' });
    const follow = async () => {
      for await (const soFar of chat.responseText(sent)) expect(soFar).toBe('Hel');
    };
    await expect(follow()).rejects.toMatchObject(refusal);
    chat.close?.();
  });

  it('does not reconnect with an invalid token', async ({ service, proxy }) => {
    const { threadId, messageId } = await (await newcomer(service)).rest.readyThread({ text: 'Hi' });
    const chat = open({ origin: proxy.origin, token: `skn_pat_${'a'.repeat(36)}` });
    await expect(chat.responseText({ threadId, messageId }).next()).rejects.toMatchObject(refusal);
    chat.close?.();
  });
});

describe.each(clients)('the example for %s', (_name, open) => {
  it('follows the list of threads, and misses nothing that happens while it is cut off', async ({ service, proxy }) => {
    const person = await newcomer(service);
    const colleague = await colleagueOf(service, person);
    const chat = open(serverOf(proxy, person));
    const changes = chat.changes();
    expect(await untilCaughtUp(changes)).toEqual([]);

    const id = await addThread(service, colleague, { name: 'shown, then hidden' });
    expect((await changes.next()).value).toMatchObject({ thread: { id, name: 'shown, then hidden' } });

    proxy.goDown();
    await service.database.thread.update({ where: { id }, data: { isPrivate: true } });
    await addThread(service, colleague, { name: 'while away' });
    proxy.comeBack();
    expect(await untilCaughtUp(changes)).toMatchObject([
      { __typename: 'ThreadHidden', threadId: id },
      { __typename: 'ThreadUpserted', thread: { name: 'while away' } },
    ]);

    proxy.tearNext();
    await addThread(service, colleague, { name: 'torn' });
    expect((await changes.next()).value).toMatchObject({ thread: { name: 'torn' } });
    expect(proxy.torn).toBe(1);
    await changes.return(undefined);
    chat.close();
  });
});

/** What changed, up to the event that says that this is all. */
async function untilCaughtUp(changes: ReturnType<Chat['changes']>): Promise<ThreadsChange[]> {
  const before: ThreadsChange[] = [];
  for (;;) {
    const { value } = await changes.next();
    if (!value) throw new Error('The feed has ended.');
    if (value.__typename === 'ThreadsCaughtUp') return before;
    before.push(value);
  }
}

// What the example for REST makes of the three kinds of `error` that docs/streaming.md describes, told apart by their ids.
let server: HttpServer | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Answers one request after the other with one of these streams, and keeps the positions that were presented. */
async function serve(...streams: SseEvent[][]): Promise<{ texts: AsyncGenerator<string>; presented: unknown[] }> {
  const presented: unknown[] = [];
  const started = createServer((request, response) => {
    presented.push(request.headers['last-event-id']);
    const events = streams.shift();
    response.writeHead(events ? 200 : 204, { 'content-type': 'text/event-stream' });
    if (events)
      new SseStream(iterate(events), (event) => event, { pingMs: 15_000, onFailure: () => null }).pipe(response);
    else response.end();
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const { port } = started.address() as AddressInfo;
  const chat = restChat({ origin: `http://127.0.0.1:${port}`, token: 'skn_pat_any' });
  return { texts: chat.responseText({ threadId: 'thr_1', messageId: 'msg_1' }), presented };
}

async function* iterate(events: readonly SseEvent[]): AsyncGenerator<SseEvent, undefined> {
  yield* events;
  return undefined;
}

async function collect(texts: AsyncGenerator<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const text of texts) all.push(text);
  return all;
}

const token = (text: string, id: string): SseEvent => ({ event: 'token', data: { token: text }, id });
const error = (message: string, id: string): SseEvent => ({ event: 'error', data: { message }, id });
const done = (id: string): SseEvent => ({ event: 'done', data: {}, id });

describe('the example for REST, at an `error`', () => {
  pure('without an id keeps the text and continues after it', async () => {
    const { texts, presented } = await serve(
      [token('Hel', '1-3'), error('Not now.', '')],
      [token('lo', '1-5'), done('1-end')],
    );
    expect(await collect(texts)).toEqual(['Hel', 'Hello']);
    expect(presented).toEqual([undefined, '1-3']);
  });

  pure('with the id of a new attempt replaces the text by that of the attempt', async () => {
    const { texts, presented } = await serve(
      [token('Hel', '1-3'), error('It starts over.', '2-0')],
      [token('Good', '2-4'), done('2-end')],
    );
    expect(await collect(texts)).toEqual(['Hel', 'Good']);
    expect(presented).toEqual([undefined, '2-0']);
  });

  pure('with the id of an end reports that the response failed, and does not reconnect', async () => {
    const { texts, presented } = await serve([token('Hel', '1-3'), error('It failed.', '1-end')]);
    expect((await texts.next()).value).toBe('Hel');
    await expect(texts.next()).rejects.toMatchObject({ name: 'RefusedError', message: 'It failed.' });
    expect(presented).toEqual([undefined]);
  });
});

/** Nothing else validates the documents of the examples: their types only tell whether the fields exist. */
pure.each(Object.entries(documents))('the document fits the schema: %s', (_name, document) => {
  expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
});
