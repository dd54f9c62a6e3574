/**
 * A server that takes no more. A connection that is kept alive would otherwise bring one request after the other for as long
 * as running responses get, and be cut in the middle of the last.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/platform/server/http-server.js';

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
