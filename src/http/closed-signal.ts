import type { ServerResponse } from 'node:http';

/** One for all: an error of its own for each request would record a stack each time. */
const gone = new DOMException('The caller has left, or has its answer.', 'AbortError');

/** Aborts when the response is sent or its connection is gone, also where that has happened already. */
export function closedSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  if (response.closed) closed.abort(gone);
  else response.once('close', () => closed.abort(gone));
  return closed.signal;
}
