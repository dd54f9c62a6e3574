/**
 * A server that takes no more. A connection that is kept alive would otherwise bring one request after the other for as long
 * as running responses get, and be cut in the middle of the last.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http-server.js';

/** A server, and a request that has reached it over a connection that is kept alive. */
async function serverWithRequest(): Promise<{
  server: HttpServer;
  response: ServerResponse;
  received: Promise<string>;
}> {
  let arrived: (response: ServerResponse) => void = () => undefined;
  const asked = new Promise<ServerResponse>((resolve) => {
    arrived = resolve;
  });
  const server = await startHttpServer((_request, response) => arrived(response), {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 10,
  });
  const client = connect(Number(new URL(server.url).port), '127.0.0.1');
  onTestFinished(() => void client.destroy());
  const received = textOf(client);
  client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  return { server, response: await asked, received };
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
