/** An answer that is given before the request was read reaches a client that is still sending. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/platform/server/http-server.js';

let server: HttpServer;
let client: Socket;
afterEach(async () => {
  client.destroy();
  await server.close();
});

/** A client of a server that refuses every request, after so many pieces of its body. It does not read until `receive`. */
async function clientOfRefusals(pieces = 0) {
  server = await startHttpServer(
    async (request, response) => {
      let read = 0;
      const body = request.iterator({ destroyOnReturn: false });
      if (pieces > 0) for await (const _piece of body) if (++read === pieces) break;
      response.writeHead(413, { connection: 'close' });
      response.end('too large');
    },
    { host: '127.0.0.1', port: 0, maxConnections: 10 },
  );
  const { hostname, port } = new URL(server.url);
  client = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).pause();
  const failed = vi.fn();
  client.on('error', failed);
  await once(client, 'connect');
  const send = (bytes: string) => new Promise<void>((resolve) => client.write(bytes, () => resolve()));
  const receive = async () => {
    let received = '';
    client.on('data', (data: Buffer) => (received += data.toString('latin1')));
    client.once('end', () => client.end()).resume();
    await once(client, 'close');
    return received;
  };
  return { failed, send, receive };
}

const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
const mebibyte = 'x'.repeat(2 ** 20);

describe('a request that is refused before its body was read', () => {
  it('delivers its answer to a client that sends all of the body first', async () => {
    const { failed, send, receive } = await clientOfRefusals();
    await send(head(4 * 2 ** 20));
    for (let n = 0; n < 4; n += 1) await send(mebibyte);
    expect(await receive()).toContain('413 Payload Too Large');
    expect(failed).not.toHaveBeenCalled();
  });

  it('delivers its answer even if the body was abandoned in the middle', async () => {
    const { send, receive } = await clientOfRefusals(2);
    await send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let n = 0; n < 4; n += 1) await send(`100000\r\n${mebibyte}\r\n`);
    await send('0\r\n\r\n');
    expect(await receive()).toContain('413 Payload Too Large');
  });

  it('ends the connection of a client that never sends the rest', async () => {
    const { send, receive } = await clientOfRefusals();
    await send(head(4 * 2 ** 20));
    expect(await receive()).toContain('too large');
  });

  it('ends the connection of a client that does not stop sending', async () => {
    const { failed, send } = await clientOfRefusals();
    await send(head(2 ** 40));
    while (client.writable && !failed.mock.calls.length) await send(mebibyte);
  });
});
