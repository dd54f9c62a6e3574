/**
 * graphql-sse's handler, which knows the protocol, and nothing of HTTP, callers or GraphQL: those are ours. It is asked in
 * the one form that it takes, whatever way the request was written.
 */
import { createHandler, type Response as StreamAnswer } from 'graphql-sse';
import { resultsOf, type StreamOperation } from './operation.js';

/** One step of the protocol. `key` names the reserved stream; null is a stream for one operation alone. */
export type StreamStep =
  | { do: 'reserve'; key: string }
  | { do: 'connect'; key: string }
  | { do: 'run'; key: string | null; operationId?: string; operation: StreamOperation }
  | { do: 'complete'; key: string; operationId: string };

/** What the handler says to a step: messages of a stream, or a text, with a status. */
export type StreamProtocol = (step: StreamStep) => Promise<StreamAnswer>;

export function createStreamProtocol(): StreamProtocol {
  const handle = createHandler<undefined, StreamStep>({
    authenticate: ({ context }) => context.key,
    onSubscribe: ({ context }) => {
      if (context.do !== 'run') throw new Error(`"${context.do}" is no operation.`);
      return resultsOf(context.operation);
    },
    onNext: (_context, { context }) => {
      if (context.do === 'run') context.operation.backlog.put();
    },
  });
  return (step) =>
    handle({
      method: methods[step.do],
      url: `/?operationId=${encodeURIComponent(step.do === 'complete' ? step.operationId : '')}`,
      headers: { get: (name) => headersOf(step)[name] },
      // The operation travels beside: what the handler does not know of the parameters it would lose.
      body: { query: '', extensions: step.do === 'run' ? { operationId: step.operationId } : {} },
      raw: undefined,
      context: step,
    });
}

const methods = { reserve: 'PUT', connect: 'GET', run: 'POST', complete: 'DELETE' } as const;

function headersOf(step: StreamStep): Record<string, string> {
  const isStream = step.do === 'connect' || (step.do === 'run' && step.key === null);
  return { accept: isStream ? 'text/event-stream' : '*/*', 'content-type': 'application/json' };
}
