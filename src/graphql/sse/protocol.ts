/**
 * graphql-sse's handler implements the protocol; HTTP, callers and GraphQL are handled here. Every request is passed to it
 * in the one form that it accepts.
 */
import { createHandler, type Response as StreamAnswer } from 'graphql-sse';
import { resultsOf, type StreamOperation } from './operation.js';

/** One request of the protocol. */
export interface StreamRequest {
  method: 'PUT' | 'GET' | 'POST' | 'DELETE';
  /** Token of the reserved stream; null for a stream of a single operation. */
  token: string | null;
  operationId?: string;
  /** Body of a POST. */
  operation?: StreamOperation;
}

/** Answers a request with a status and either the messages of a stream or a text. */
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
      // The operation is passed separately, because the handler would drop parameters that it does not know.
      body: { query: '', extensions: { operationId } },
      raw: undefined,
      context: request,
    });
  };
}
