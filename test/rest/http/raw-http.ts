/** HTTP as `fetch` does not speak it: any method, any target, content codings left on, and bytes that are no request at all. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface RawRequest {
  method: string;
  path: string;
  /** A list is sent as a header for each of its values. */
  headers?: Record<string, string | string[]>;
  /** A list is sent piece by piece, without a length. */
  body?: string | Buffer | readonly (string | Buffer)[];
}

/** An answer, with its body as text or as the bytes that came. */
export interface RawReply<Body = string> {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body;
}

/** A client that uses one connection for all that it sends. */
export class RawClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #origin: URL;

  constructor(origin: string) {
    this.#origin = new URL(origin);
  }

  /** Sends the request and reads its answer to the end. */
  async send(asked: RawRequest): Promise<RawReply> {
    const { body, ...reply } = await this.sendForBytes(asked);
    return { ...reply, body: new TextDecoder().decode(body) };
  }

  /** The same, for an answer that is no text. */
  sendForBytes({ method, path, headers = {}, body = [] }: RawRequest): Promise<RawReply<Buffer>> {
    const { hostname: host, port } = this.#origin;
    return new Promise((resolve, reject) => {
      const outgoing = request({ host, port, method, path, headers, agent: this.#agent }, (response) => {
        buffer(response).then((received) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received });
        }, reject);
      });
      outgoing.on('error', reject);
      if (typeof body === 'string' || Buffer.isBuffer(body)) {
        outgoing.setHeader('content-length', Buffer.byteLength(body));
        outgoing.end(body);
      } else {
        for (const piece of body) outgoing.write(piece);
        outgoing.end();
      }
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Writes the bytes to a connection of their own; all that comes back until the server closes it. */
export function exchange(origin: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (data) => {
      received += data.toString('latin1');
    });
    socket.on('error', (error) => {
      received += `\n${error.message}`;
    });
    socket.on('close', () => resolve(received));
    socket.write(bytes);
  });
}

/** A connection that ends with the test, on which these bytes were sent, and what has come back so far. */
export async function openSocket(origin: string, bytes: string): Promise<{ socket: Socket; received: () => string }> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  await new Promise((resolve) => socket.write(bytes, resolve));
  return { socket, received: () => received };
}
