/**
 * graphql-sse's handler, which knows the protocol, and nothing of HTTP, callers or GraphQL: those are ours. It is asked in
 * the one form that it takes, whatever way the request was written.
 */
import { createHandler, type Response as StreamAnswer } from 'graphql-sse';
import { resultsOf, type StreamOperation } from './operation.js';

/** One request of the protocol. */
export interface StreamRequest {
  method: 'PUT' | 'GET' | 'POST' | 'DELETE';
  /** Names the reserved stream; null is a stream for one operation alone. */
  token: string | null;
  operationId?: string;
  /** With POST. */
  operation?: StreamOperation;
}

/** Messages of a stream, or a text, with a status. */
export type StreamProtocol = (request: StreamRequest) => Promise<StreamAnswer>;

export function createStreamProtocol(): StreamProtocol {
  const handle = createHandler<undefined, StreamRequest>({
    authenticate: ({ context }) => context.token,
    onSubscribe: ({ context: { operation } }) => operation && resultsOf(operation),
    onNext: (_context, { context: { operation } }) => operation?.backlog.put(),
  });
  return (request) => {
    const { method, token, operationId = '' } = request;
    const accept = method === 'GET' || token === null ? 'text/event-stream' : '*/*';
    return handle({
      method,
      url: `/?operationId=${encodeURIComponent(operationId)}`,
      headers: new Headers({ accept, 'content-type': 'application/json' }),
      // The operation travels beside: what the handler does not know of the parameters it would lose.
      body: { query: '', extensions: { operationId } },
      raw: undefined,
      context: request,
    });
  };
}
