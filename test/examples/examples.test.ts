/** Every example does what it says on the real service, while its connection is torn in the middle of what it reads. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { activeThread } from '../rest/threads/thread-stages.js';
import { breakConnection, gate, text, wait } from '../support/model/model-script.js';
import { DroppingProxy } from '../support/network/dropping-proxy.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { addThread, colleagueOf, newcomer, personWithThreads } from '../support/threads.js';
import { apolloChat } from './apollo/chat.js';
import type { Chat, Server } from './chat.js';
import type { ThreadsChange } from './documents.js';
import { graphqlSseChat } from './graphql-sse/chat.js';
import { restChat } from './rest/chat.js';
import { urqlChat } from './urql/chat.js';

let service: TestService;
let proxy: DroppingProxy;
beforeAll(async () => {
  service = await startTestService();
  proxy = await DroppingProxy.start(service.url);
});
afterAll(async () => {
  await proxy.close();
  await service.stop();
});
beforeEach(() => {
  proxy.torn = 0;
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

const serverOf = ({ token }: Person): Server => ({ origin: proxy.origin, token });

describe.each(all)('the example for %s', (_name, open) => {
  it('lists all threads, page by page', async () => {
    const chat = open(serverOf(await personWithThreads(service, ['a', 'b', 'c', 'd', 'e'])));
    expect(await chat.threadNames(2)).toEqual(['a', 'b', 'c', 'd', 'e']);
    chat.close?.();
  });

  it('sends a message, and reports its outcome', async () => {
    const person = await newcomer(service);
    const chat = open(serverOf(person));
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

  it('streams a response, and a broken connection loses no character', async () => {
    const person = await newcomer(service);
    const chat = open(serverOf(person));
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

  it('starts over if the attempt was lost, and never mixes two', async () => {
    const person = await newcomer(service);
    const chat = open(serverOf(person));
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

  it('says that a response failed', async () => {
    const person = await newcomer(service);
    const chat = open(serverOf(person));
    service.model.enqueue([text('Hel'), { do: 'finish', reason: 'content_filter' }]);
    const sent = await person.rest.createThread({ text: 'Hi' });
    const follow = async () => {
      for await (const soFar of chat.responseText(sent)) expect(soFar).toBe('Hel');
    };
    await expect(follow()).rejects.toMatchObject(refusal);
    chat.close?.();
  });

  it('does not reconnect with an invalid token', async () => {
    const { threadId, messageId } = await (await newcomer(service)).rest.readyThread({ text: 'Hi' });
    const chat = open({ origin: proxy.origin, token: `skn_pat_${'a'.repeat(36)}` });
    await expect(chat.responseText({ threadId, messageId }).next()).rejects.toMatchObject(refusal);
    chat.close?.();
  });
});

describe.each(clients)('the example for %s', (_name, open) => {
  it('follows the list of threads, and misses nothing that happens while it is cut off', async () => {
    const person = await newcomer(service);
    const colleague = await colleagueOf(service, person);
    const chat = open(serverOf(person));
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
