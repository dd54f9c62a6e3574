/**
 * Subscriptions, all of them over one connection of the tab: a browser opens only six to a host. Whatever happens to the
 * connection, a subscription goes on after the cursor of its last event, so nothing is lost and nothing comes twice; only the
 * service's own answer ends it.
 */
import { createClient } from 'graphql-sse';
import { stringifyDocument, type TypedDocumentNode } from 'urql';
import { deliberateHeaders } from './client.js';
import { setConnected } from './connection-state.js';
import { watchedFetch } from './watched-fetch.js';

const connection = createClient({
  url: '/graphql/stream',
  singleConnection: true,
  lazyCloseTimeout: 2000,
  retryAttempts: Number.POSITIVE_INFINITY,
  retry: backOff,
  // The client writes its reservation into the object, so that each connection needs one of its own.
  headers: () => ({ ...deliberateHeaders }),
  fetchFn: watchedFetch,
  on: { connecting: (isRetry) => setConnected(!isRetry), connected: () => setConnected(true) },
});

const firstDelayMs = 250;
const longestDelayMs = 8000;

/** Waits longer after each failure, and no longer at all once the browser finds a network. */
function backOff(failures: number): Promise<void> {
  const delayMs = Math.min(firstDelayMs * 2 ** failures, longestDelayMs) * (0.75 + Math.random() / 2);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    addEventListener('online', done);
  });
}

export interface Following<Data, Variables extends Record<string, unknown>> {
  document: TypedDocumentNode<Data, Variables>;
  variables: Variables;
  next: (data: Data) => void;
  /** The cursor of an event, where the subscription has cursors. */
  cursorOf?: (data: Data) => string;
  /** The service refused, for good; nothing follows. */
  refused?: (code: string) => void;
}

/** Follows a subscription until the returned function is called, or the service refuses it. */
export function follow<Data, Variables extends Record<string, unknown>>(
  following: Following<Data, Variables>,
): () => void {
  const { document, next, cursorOf, refused } = following;
  const query = stringifyDocument(document);
  // The client sends this very object again after a loss of the connection, with the cursor that it holds by then.
  const variables = { ...following.variables };
  let ended = false;
  let close: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    close = connection.subscribe<Data>(
      { query, variables },
      {
        next: ({ data, errors }) => {
          if (ended) return;
          if (errors) {
            ended = true;
            refused?.(String(errors[0]?.extensions?.['code'] ?? 'INTERNAL_SERVER_ERROR'));
          } else if (data) {
            if (cursorOf) Object.assign(variables, { after: cursorOf(data) });
            next(data);
          }
        },
        error: () => resume(),
        complete: () => resume(),
      },
    );
  };
  const resume = () => {
    if (!ended) timer = setTimeout(begin, firstDelayMs);
  };
  begin();
  return () => {
    ended = true;
    clearTimeout(timer);
    close?.();
  };
}
