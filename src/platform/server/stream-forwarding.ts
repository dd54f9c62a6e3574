/**
 * Passes requests for a reserved stream on to the process that reserved it, where several processes share a port: a
 * reservation lives in the memory of one, and the connections of its client reach any. The token of the stream begins
 * with the number of its process, which also serves on a private port of the loopback interface.
 */
import { type IncomingHttpHeaders, type IncomingMessage, type RequestListener, request as send } from 'node:http';
import { pipeline } from 'node:stream';
import { sourceOf } from '../rates/request-source.js';

/** The processes that share a port, as one of them sees them. */
export interface SharedPort {
  /** The number of this process. */
  readonly number: number;
  /** The private ports of the processes that serve, by their numbers. */
  readonly ports: ReadonlyMap<number, number>;
}

/** Marks what was passed on, so that it is passed on once. */
const mark = 'x-skein-forwarded';

export function forwardingStreams(handler: RequestListener, group: SharedPort): RequestListener {
  return (request, response) => {
    const port = portOfOwner(request, group);
    if (port === undefined) return handler(request, response);
    const { method, url: path } = request;
    const headers = { ...ofMessage(request.headers), [mark]: '1', 'x-forwarded-for': sourceOf(request).address };
    const forwarded = send({ host: '127.0.0.1', port, method, path, headers, agent: false });
    // The owner is gone, and its streams with it: this process answers as it answers for any unknown stream.
    const answerHere = () => handler(request, response);
    forwarded.once('error', answerHere);
    forwarded.once('socket', (socket) =>
      socket.once('connect', () => {
        forwarded.off('error', answerHere).on('error', () => response.destroy());
        response.once('close', () => forwarded.destroy());
        request.pipe(forwarded);
      }),
    );
    forwarded.once('response', (answer) => {
      response.statusCode = answer.statusCode ?? 502;
      for (const [name, value = ''] of Object.entries(ofMessage(answer.headers))) response.setHeader(name, value);
      response.flushHeaders();
      // A connection that breaks on one side ends on the other; there is nothing else to do.
      pipeline(answer, response, () => undefined);
    });
  };
}

function portOfOwner({ url = '', headers }: IncomingMessage, { number, ports }: SharedPort): number | undefined {
  if (!url.startsWith('/graphql/stream') || headers[mark] !== undefined) return undefined;
  const token = headers['x-graphql-event-stream-token'] || new URL(url, 'http://localhost').searchParams.get('token');
  const owner = Number.parseInt(String(token), 10);
  return owner === number ? undefined : ports.get(owner);
}

/** Without those of the connection, which Node sets itself. */
function ofMessage({ connection: _, 'keep-alive': __, expect: ___, upgrade: ____, ...headers }: IncomingHttpHeaders) {
  return headers;
}
