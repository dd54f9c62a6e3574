/** Attachments on their way: what one user holds up keeps nobody else from theirs, and too slow a body is refused. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import Koa from 'koa';
import { describe, expect, vi } from 'vitest';
import { pieceBytes, sendContent } from '../../../src/http/answers/send-content.js';
import { openSocket } from '../../rest/http/raw-http.js';
import { holding, waitingStatements } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { announceFile, type File, fetchAttachment, put, textFile, uploadFile } from './attached-file.js';

const patience = { timeout: 15_000 };
const megabyte = 1024 * 1024;

const it = serviceTest({ environment: { TRANSFER_MEMORY: '16' }, settings: { bodyGraceMs: 120_000 } })
  .extend('hasty', { scope: 'file' }, ({ startService }) => startService({ settings: { bodyGraceMs: 500 } }))
  .extend('sender', { scope: 'file' }, ({ hasty }) => hasty.person());

const fileOf = (bytes: number): File => textFile('x'.repeat(bytes));

/** An upload of which nothing comes beyond its first byte. */
async function stalledUpload(service: TestService, person: Person): Promise<Socket> {
  const file = fileOf(megabyte);
  const id = await announceFile(service, person, file);
  const head = `PUT /attachments/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${person.token}\r\n`;
  const bytes = `${head}Content-Type: text/plain\r\nContent-Length: ${megabyte}\r\n\r\nx`;
  return (await openSocket(service.url, bytes)).socket;
}

describe('forty stalled uploads of one user', () => {
  it('keep neither a colleague nor another organization from uploading and downloading', async ({ service }) => {
    const slow = await newcomer(service);
    for (let n = 0; n < 40; n += 1) await stalledUpload(service, slow);
    for (const person of [await newcomer(service), await colleagueOf(service, slow)]) {
      const file = fileOf(megabyte);
      const id = await uploadFile(service, person, file);
      const downloaded = await fetchAttachment(service, person, { id });
      expect([downloaded.status, (await downloaded.arrayBuffer()).byteLength]).toEqual([200, megabyte]);
    }
  });

  it('hold no more than the share of their user: the next waits until one of them leaves', async ({ service }) => {
    const slow = await newcomer(service);
    const stalled: Socket[] = [];
    for (let n = 0; n < 4; n += 1) stalled.push(await stalledUpload(service, slow));
    const file = fileOf(megabyte);
    const id = await announceFile(service, slow, file);
    const waiting = put(service, slow, { id, ...file });
    let isSettled = false;
    void waiting.finally(() => {
      isSettled = true;
    });
    expect((await newcomer(service)).id).toBeTruthy();
    expect((await slow.rest.get('/me')).status).toBe(200);
    expect(isSettled, 'the fifth upload waits for room').toBe(false);
    stalled[0]?.destroy();
    expect((await waiting).status).toBe(204);
  });
});

/** A download of which the client takes nothing beyond what the systems on both sides buffer. */
async function stalledDownload(service: TestService, { token }: Person, id: string) {
  const opened = await openSocket(
    service.url,
    `GET /attachments/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  opened.socket.once('data', () => opened.socket.pause());
  await vi.waitFor(() => expect(opened.received()).toMatch(/^HTTP\/1\.1 200 /), patience);
  return opened;
}

describe('a download that stalls', () => {
  it('takes room for a piece of the file, so that seven of them leave some to their user', async ({ service }) => {
    const slow = await newcomer(service);
    const file = fileOf(10 * megabyte);
    const id = await uploadFile(service, slow, file);
    for (let n = 0; n < 7; n += 1) await stalledDownload(service, slow, id);
    const downloaded = await fetchAttachment(service, slow, { id });
    expect((await downloaded.arrayBuffer()).byteLength).toBe(file.content.length);
  });

  it('ends without the rest if the attachment is gone meanwhile', async ({ service }) => {
    const person = await newcomer(service);
    const id = await uploadFile(service, person, fileOf(10 * megabyte));
    const { socket, received } = await stalledDownload(service, person, id);
    await service.database.$executeRaw`DELETE FROM attachment WHERE id = ${id}`;
    socket.resume();
    await vi.waitFor(() => expect(socket.closed).toBe(true), patience);
    expect(received().length).toBeLessThan(10 * megabyte);
  });
});

describe('three uploads of three users that end at the same time', () => {
  it('are stored two at a time, because the database holds copies of each', async ({ service, database }) => {
    const files = await Promise.all(
      [1, 2, 3].map(async (n) => {
        const person = await newcomer(service);
        const file = textFile(`${n}`);
        return { person, file, id: await announceFile(service, person, file) };
      }),
    );
    const storing = 'UPDATE attachment SET content';
    const { uploads } = await database.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT FROM attachment WHERE id = ANY (${files.map(({ id }) => id)}) FOR UPDATE`;
      const uploads = files.map(({ person, file, id }) => put(service, person, { id, ...file }));
      await vi.waitFor(async () => expect(await waitingStatements(database, storing)).toBe(2), patience);
      // The third would have come by the time that another request of its user takes.
      for (const { person } of files) expect((await person.rest.get('/threads')).status).toBe(200);
      expect(await waitingStatements(database, storing)).toBe(2);
      return { uploads };
    }, holding);
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual([204, 204, 204]);
  });
});

describe('a body that comes too slowly', () => {
  const json = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"text"';
  const post = (path: string, { token }: Person) =>
    `POST ${path} HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nHost: x\r\n${json}`;
  const cases: [string, (service: TestService, person: Person) => Promise<string>][] = [
    ['REST', async (_service, person) => post('/api/v1/threads', person)],
    ['GraphQL', async (_service, person) => post('/graphql', person)],
    [
      'attachments',
      async (service, person) => {
        const id = await announceFile(service, person, fileOf(1000));
        const type = 'Content-Type: text/plain\r\nContent-Length: 1000';
        return `PUT /attachments/${id} HTTP/1.1\r\nAuthorization: Bearer ${person.token}\r\nHost: x\r\n${type}\r\n\r\nx`;
      },
    ],
    [
      'sign-in',
      async () => `POST /auth/sign-in/email HTTP/1.1\r\nHost: skein.test\r\nOrigin: https://skein.test\r\n${json}`,
    ],
  ];

  it.for(cases)(
    'is refused by %s with 408, and its connection is closed',
    async ([_name, request], { hasty, sender }) => {
      const { socket, received } = await openSocket(hasty.url, await request(hasty, sender));
      await vi.waitFor(() => expect(socket.destroyed || socket.readableEnded).toBe(true), patience);
      expect(received()).toMatch(/^HTTP\/1\.1 408 /);
      expect(received()).toMatch(/connection: close/i);
      expect(received()).toMatch(/"code":"(REQUEST_TIMEOUT|request_timeout)"/);
    },
  );

  it('is rejected even if a byte arrives now and then', async ({ hasty, sender }) => {
    const { socket, received } = await openSocket(hasty.url, post('/api/v1/threads', sender));
    const drip = setInterval(() => socket.write(' '), 20);
    await vi.waitFor(() => expect(received()).toMatch(/^HTTP\/1\.1 408 /), patience);
    clearInterval(drip);
  });
});

describe('an attachment whose reader stalls', () => {
  it('is disconnected after the grace period', async () => {
    const content = new Uint8Array(64 * megabyte);
    const ended = vi.fn();
    const app = new Koa();
    app.silent = true;
    app.use((ctx) => {
      ctx.res.once('close', () => ended(ctx.res.writableFinished));
      ctx.body = sendContent(ctx, (start) => content.subarray(start, start + pieceBytes), {
        bytesPerSecond: 1_000_000_000,
        graceMs: 200,
      });
    });
    const server = createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { socket } = await openSocket(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.pause();
    await vi.waitFor(() => expect(ended).toHaveBeenCalledWith(false), patience);
    server.close();
  });

  it('is disconnected even if all but the end was read', async () => {
    const res = new PassThrough();
    const bytes = new Uint8Array(100);
    const content = sendContent({ res: res as unknown as ServerResponse }, (start) => bytes.subarray(start), {
      bytesPerSecond: 1_000_000,
      graceMs: 20,
    });
    await content.resume().toArray();
    await vi.waitFor(() => expect(res.destroyed).toBe(true), patience);
  });
});
