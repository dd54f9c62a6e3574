/** The large answers of all callers together: they share a counted number of bytes, by user, until they are taken. */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, vi } from 'vitest';
import { storeMessages } from '../../rest/messages/stored-messages.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type Person, patientStatements, startTestService, type TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';

const mebibyte = 2 ** 20;
const patience = { timeout: 20_000 };

/** 20 texts of 100,000 characters, 15 times over: 30 million bytes, near the largest answer that there can be. */
const texts = Array.from({ length: 15 }, (_, index) => `t${index}: text`).join(' ');
const large = `query ($id: ID!) { thread(id: $id) { messages(first: 50) { edges { node { contents { ... on TextBlock { ${texts} } } } } } } }`;

interface Reader extends Person {
  threadId: string;
}

async function readerOf(service: TestService, { org, threadId }: { org: string; threadId?: string }): Promise<Reader> {
  const person = await service.person({ org });
  return { ...person, threadId: threadId ?? (await longThread(service, person)) };
}

async function longThread(service: TestService, owner: Person, messages = 20): Promise<string> {
  const threadId = await addThread(service, owner);
  const message = { contents: [{ type: 'text' as const, text: 'a'.repeat(100_000) }] };
  await storeMessages(service, threadId, Array(messages).fill(message));
  return threadId;
}

const patientLimits = { answerWaitMs: 600_000, graphql: { executionMs: { query: 600_000, mutation: 600_000 } } };

/** `patient` lets nobody wait too long, however busy the machine is; in the other service Ada has a long thread. */
const it = serviceTest({ settings: { answerWaitMs: 200 } })
  .extend('patient', { scope: 'file' }, ({ startService }) =>
    startService({ settings: { bodyGraceMs: 600_000, statementLimits: patientStatements, ...patientLimits } }),
  )
  .extend('ada', { scope: 'file' }, ({ service }) => readerOf(service, { org: 'acme' }));

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Asks for the large answer, and takes no more of it than its beginning. */
function askAndLeaveUnread(service: TestService, { token, threadId }: Reader) {
  const body = JSON.stringify({ query: large, variables: { id: threadId } });
  return leaveUnread(
    service,
    `POST /graphql HTTP/1.1\r\nHost: skein.test\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function leaveUnread(service: TestService, request: string) {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const answer = { socket, status: 0, beginning: '' };
  socket.once('data', (data) => {
    answer.beginning = data.toString('latin1', 0, 600);
    answer.status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer.beginning)?.[1]);
    socket.pause();
  });
  socket.write(request);
  return answer;
}

async function answerBytes({ url }: TestService): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^skein_answer_bytes (\d+)/m.exec(metrics)?.[1]);
}

it('the largest answers of six users at once use the memory of four; the next proceeds when one is read or its caller leaves', async ({
  patient: service,
}) => {
  const readers: Reader[] = [];
  for (const org of ['a', 'b', 'c']) {
    const first = await readerOf(service, { org });
    readers.push(first, await readerOf(service, { ...first, org }));
  }
  const answers = readers.map((reader) => askAndLeaveUnread(service, reader));
  const begun = () => answers.filter(({ status }) => status === 200);
  const counted = vi.fn(() => answerBytes(service));
  await vi.waitFor(() => expect(begun()).toHaveLength(4), patience);
  await vi.waitFor(async () => expect(await counted()).toBeGreaterThan(4 * 28 * mebibyte), patience);
  expect(await counted()).toBeLessThanOrEqual(128 * mebibyte);
  for (const left of [5, 6]) {
    const unread = begun().find(({ socket }) => socket.isPaused() && !socket.destroyed);
    if (left % 2) unread?.socket.destroy();
    else unread?.socket.resume();
    const beginnings = () => answers.map(({ beginning }) => beginning).join('\n\n');
    await vi.waitFor(() => expect(begun(), beginnings()).toHaveLength(left), patience);
    expect(await counted()).toBeLessThanOrEqual(128 * mebibyte);
  }
  for (const { socket } of answers) socket.destroy();
  await vi.waitFor(async () => expect(await counted()).toBe(0), patience);
});

describe('a large answer that its user does not read', () => {
  it('makes their next one wait and then fail; smaller ones and those of others are answered', async ({
    service,
    ada,
  }) => {
    const eve = await readerOf(service, { ...ada, org: 'acme' });
    const unread = askAndLeaveUnread(service, ada);
    await vi.waitFor(() => expect(unread.status).toBe(200), patience);
    const failure = await ada.graphql.run({ query: large, variables: { id: ada.threadId } });
    expect([failure.status, 'data' in failure.body, failure.body.errors?.[0]?.extensions]).toEqual([
      200,
      false,
      { code: 'LIMIT_EXCEEDED', limit: 'answerMemory', maximum: 200 },
    ]);
    const rest = await ada.rest.get(`/threads/${ada.threadId}/messages`);
    expect([rest.status, rest.body, rest.headers.get('retry-after')]).toEqual([
      503,
      expect.objectContaining({ code: 'service_unavailable', detail: expect.stringMatching(/smaller pages/) }),
      '1',
    ]);
    expect((await ada.rest.get(`/threads/${ada.threadId}/messages?limit=1`)).status).toBe(200);
    expect((await ada.rest.get('/threads')).status).toBe(200);
    await eve.graphql.data(large, { id: eve.threadId });
    unread.socket.destroy();
    await vi.waitFor(async () => expect(await answerBytes(service)).toBe(0), patience);
    await ada.graphql.data(large, { id: ada.threadId });
  });

  it('is counted by its own bytes where it is a page of REST, until it is taken', async ({ service, ada }) => {
    const { token } = ada;
    const path = `/api/v1/threads/${await longThread(service, ada, 80)}/messages?limit=80`;
    const unread = leaveUnread(
      service,
      `GET ${path} HTTP/1.1\r\nHost: skein.test\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await vi.waitFor(() => expect(unread.status).toBe(200), patience);
    const counted = await answerBytes(service);
    expect(counted).toBeGreaterThan(8_000_000);
    // What was to be loaded was counted by the largest answer that there can be.
    expect(counted).toBeLessThan(9_000_000);
    unread.socket.destroy();
    await vi.waitFor(async () => expect(await answerBytes(service)).toBe(0), patience);
  });

  it('is counted for each event of a subscription, until the next is asked for or the subscriber leaves', async ({
    service,
    ada,
  }) => {
    const query = large.replace('query ($id: ID!) { thread(', 'subscription ($id: ID!) { threadChanged(');
    const abort = new AbortController();
    const { results } = await ada.graphql.subscribe({ query, variables: { id: ada.threadId } }, abort.signal);
    expect((await results.next()).done).toBe(false);
    abort.abort();
    await vi.waitFor(async () => expect(await answerBytes(service)).toBe(0), patience);
  });
});

describe('an operation that waits for room for its answer', () => {
  const ways = {
    GraphQL: ({ graphql, threadId }: Reader) => graphql.run({ query: large, variables: { id: threadId } }),
    REST: ({ rest, threadId }: Reader) => rest.get(`/threads/${threadId}/messages`),
  };

  it.for(['GraphQL', 'REST'] as const)('has no turn of those that its user may have at once (%s)', async (way) => {
    await using service = await startTestService({
      environment: { OPERATIONS_PER_USER: '1' },
      settings: patientLimits,
    });
    const ada = await readerOf(service, { org: 'acme' });
    const unread = askAndLeaveUnread(service, ada);
    await vi.waitFor(() => expect(unread.status).toBe(200), patience);
    let ended = 0;
    const waiting = [ways[way](ada), ways[way](ada)].map((answer) => answer.finally(() => (ended += 1)));
    for (let i = 0; i < 5; i += 1) expect((await ada.rest.get('/threads')).status).toBe(200);
    expect(ended).toBe(0);
    unread.socket.destroy();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    await vi.waitFor(async () => expect(await answerBytes(service)).toBe(0), patience);
    // All turns were given back.
    expect((await ada.rest.get('/threads')).status).toBe(200);
  });
});

it('a large answer whose caller stops reading is abandoned if it is read below the minimum rate, and its memory is released', async () => {
  await using service = await startTestService({
    environment: { BODY_BYTES_PER_SECOND: '100000000' },
    settings: { bodyGraceMs: 2_000 },
  });
  const ada = await readerOf(service, { org: 'acme' });
  const unread = askAndLeaveUnread(service, ada);
  await vi.waitFor(() => expect(unread.status).toBe(200), patience);
  expect(await answerBytes(service)).toBeGreaterThan(28 * mebibyte);
  await vi.waitFor(async () => expect(await answerBytes(service)).toBe(0), patience);
  expect(unread.socket.isPaused()).toBe(true);
});
