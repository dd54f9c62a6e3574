/**
 * What runs on a node when it stops, other than responses and their streams, has the same time to finish. Its server takes no more:
 * a connection that is kept alive would otherwise bring one request after the other for as long as running responses get, and be
 * cut in the middle of the last.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, vi } from 'vitest';
import { claim } from '../../src/modules/responses/protocol/claim.js';
import { defaultLeaseSettings } from '../../src/modules/responses/worker/lease-settings.js';
import { type HttpServer, startHttpServer } from '../../src/platform/server/http-server.js';
import type { RunningService } from '../../src/serve.js';
import { workerNamed } from '../modules/protocol/protocol-world.js';
import { serviceTest } from '../support/fixtures/service.js';
import { startTestService } from '../support/service.js';

const it = serviceTest({ environment: { ROLE: 'worker' } });
const patient = { timeout: 30_000 };

const body = JSON.stringify({ text: 'It took a while to send this.' });

/** A client that has sent half of a message, which the node is reading. */
async function sender(node: RunningService, token: string): Promise<Socket> {
  const client = connect(Number(new URL(node.url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void client.destroy());
  const head = ['POST /api/v1/threads HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${token}`];
  const ofBody = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue'];
  client.write(`${[...head, ...ofBody].join('\r\n')}\r\n\r\n`);
  expect((await once(client, 'data'))[0]).toContain('100 Continue');
  client.write(body.slice(0, 10));
  return client;
}

it('a request whose body is still arriving when its node stops is read to its end, and answered', async ({
  service,
  ada,
}) => {
  const leaving = await service.addNode({ ROLE: 'api' });
  const client = await sender(leaving, ada.token);
  const stopped = leaving.stop(60_000);
  await vi.waitFor(() => expect(leaving.ending).toBe('the requests under way'), patient);
  client.write(body.slice(10));
  expect((await once(client, 'data'))[0]).toContain('201 Created');
  await stopped;
});

it('a request that never ends holds its node no longer than running responses may take', async ({ service, ada }) => {
  const leaving = await service.addNode({ ROLE: 'api' });
  const client = await sender(leaving, ada.token);
  const closed = once(client, 'close');
  await leaving.stop(100);
  await closed;
});

interface Exchange {
  response: ServerResponse;
  /** All that the client gets. */
  received: Promise<string>;
}

/** A server, and a request that has reached it over a connection that is kept alive; `ask` makes further ones. */
async function serverWithRequest(): Promise<Exchange & { server: HttpServer; ask: () => Promise<Exchange> }> {
  let arrived: (response: ServerResponse) => void = () => undefined;
  const server = await startHttpServer((_request, response) => arrived(response), {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 10,
  });
  const ask = async () => {
    const asked = new Promise<ServerResponse>((resolve) => {
      arrived = resolve;
    });
    const client = connect(Number(new URL(server.url).port), '127.0.0.1');
    onTestFinished(() => void client.destroy());
    const received = textOf(client);
    client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    return { response: await asked, received };
  };
  return { server, ask, ...(await ask()) };
}

/** All that the client gets, once the connection has ended. */
async function textOf(client: Socket): Promise<string> {
  let text = '';
  client.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  await once(client, 'close');
  return text;
}

it('a request that runs when the server is closed is answered, and its connection ended', async () => {
  const { server, response, received } = await serverWithRequest();
  const closed = server.close();
  response.end('whole');
  expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*Connection: close\r\n(.+\r\n)*\r\nwhole$/);
  await closed;
});

it('a stream that runs when the server is closed goes on to its end, and so does its connection', async () => {
  const { server, response, received } = await serverWithRequest();
  response.write('first ');
  const closed = server.close();
  response.write('last');
  response.end();
  expect(await received).toMatch(/first .*last.*\r\n0\r\n\r\n$/s);
  await closed;
});

it('a server that is closed can be asked when its requests are answered, whatever its streams do', async () => {
  const { server, ask, response } = await serverWithRequest();
  const stream = await ask();
  stream.response.setHeader('Content-Type', 'text/event-stream').write(': ping');
  void server.close();
  const answered = server.answered(AbortSignal.timeout(60_000));
  response.end('whole');
  await answered;
  expect(stream.response.writableEnded).toBe(false);
  stream.response.end();
});

it('a server that drains takes requests over kept and new connections, and tells each client to close its own', async () => {
  const { server, ask, response, received } = await serverWithRequest();
  void server.drain(600_000);
  response.end('first');
  expect(await received).toMatch(/\r\nConnection: close\r\n(.+\r\n)*\r\nfirst$/);
  const late = await ask();
  late.response.end('late');
  expect(await late.received).toMatch(/\r\nConnection: close\r\n(.+\r\n)*\r\nlate$/);
});

it('a worker reclaims what the only one ran, which was killed, before its lease expires', async () => {
  await using service = await startTestService({
    environment: { ROLE: 'api' },
    settings: { lease: defaultLeaseSettings },
  });
  const { database } = service;
  const { rest } = await service.person();
  const { messageId } = await rest.createThread({ text: 'Hi' });
  expect(await claim(database, workerNamed('killed'), 1)).toHaveLength(1);
  await service.addNode({ ROLE: 'worker' });
  const look = async () => {
    // Neither renewed nor over, however slow the machine is.
    await database.$executeRaw`
      UPDATE response SET lease_until = clock_timestamp() + interval '2 s' WHERE message_id = ${messageId} AND epoch = 1`;
    const row = await database.response.findUniqueOrThrow({ where: { messageId } });
    expect(row).toMatchObject({ status: 'succeeded', attempt: 2 });
  };
  await vi.waitFor(look, { timeout: 60_000, interval: 100 });
});
