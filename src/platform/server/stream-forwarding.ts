/**
 * Passes requests for a reserved stream on to the process that reserved it, where several processes share a port: a
 * reservation lives in the memory of one, and the connections of its client reach any. The token of the stream begins
 * with the number of its process. Requests travel over loopback to a private port of that process, which accepts none
 * without the key of the group.
 */
import { timingSafeEqual } from 'node:crypto';
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  request as send,
} from 'node:http';
import { pipeline } from 'node:stream';
import { sourceOf } from '../rates/request-source.js';

/** The processes that share a port, as one of them sees them. */
export interface SharedPort {
  /** The number of this process. */
  number: number;
  /** The private ports of the processes that serve, by their numbers. */
  readonly ports: ReadonlyMap<number, number>;
  key: string;
}

const keyHeader = 'x-skein-group-key';
/** They concern one connection only, and Node sets its own. */
const headersOfConnection = ['connection', 'keep-alive', 'proxy-connection', 'expect', 'upgrade', 'te', 'trailer'];

/** Wraps the handler of the shared port. */
export function forwardingStreams(handler: RequestListener, group: SharedPort): RequestListener {
  return (request, response) => {
    const port = portOfOwner(request, group);
    if (port === undefined) return handler(request, response);
    void forward(request, response, { port, key: group.key }).then((isForwarded) => {
      // The owner is gone, and its streams with it: this process answers as it answers for any unknown stream.
      if (!isForwarded) handler(request, response);
    });
  };
}

/** Wraps the handler of the private port. */
export function forwardedOnly(handler: RequestListener, { key }: SharedPort): RequestListener {
  const wanted = Buffer.from(key);
  return (request, response) => {
    const given = Buffer.from(String(request.headers[keyHeader] ?? ''));
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) handler(request, response);
    else request.socket.destroy();
  };
}

function portOfOwner(request: IncomingMessage, { number, ports }: SharedPort): number | undefined {
  const { url = '', headers } = request;
  if (!url.startsWith('/graphql/stream')) return undefined;
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const token = headers['x-graphql-event-stream-token'] || searchParams.get('token');
  const owner = /^(\d{1,2})-/.exec(String(token))?.[1];
  if (pathname !== '/graphql/stream' || owner === undefined || Number(owner) === number) return undefined;
  return ports.get(Number(owner));
}

/** Returns false if the owner cannot be reached; nothing of the request has been read then. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { port, key }: { port: number; key: string },
): Promise<boolean> {
  const { method, url: path } = request;
  const headers = {
    ...withoutConnection(request.headers),
    'x-forwarded-for': sourceOf(request).address,
    [keyHeader]: key,
  };
  const forwarded = send({ host: '127.0.0.1', port, method, path, headers, agent: false });
  forwarded.on('response', (answer) => relay(answer, response));
  if (!(await isConnected(forwarded))) return false;
  forwarded.on('error', () => response.destroy());
  response.once('close', () => forwarded.destroy());
  // The client may have left meanwhile.
  if (response.closed) forwarded.destroy();
  else request.pipe(forwarded);
  return true;
}

function isConnected(request: ClientRequest): Promise<boolean> {
  return new Promise((resolve) => {
    request.once('error', () => resolve(false));
    request.once('socket', (socket) => socket.once('connect', () => resolve(true)));
  });
}

function relay(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers));
  response.flushHeaders();
  // A connection that breaks on one side ends on the other; there is nothing else to do.
  pipeline(answer, response, () => undefined);
}

function withoutConnection<Headers extends NodeJS.Dict<string | string[]>>(headers: Headers): Headers {
  const kept = Object.entries(headers).filter(([name]) => !headersOfConnection.includes(name));
  return Object.fromEntries(kept) as Headers;
}
