import type { ServerResponse } from 'node:http';

/** Aborts when the response is sent or its connection is gone, also where that has happened already. */
export function closedSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  if (response.closed) closed.abort();
  else response.once('close', () => closed.abort());
  return closed.signal;
}
