/**
 * Subscriptions, all of them over one connection per tab, because a browser opens only six connections to a host. A
 * subscription resumes after the cursor of its last event when the connection or the service fails, so no event is lost or
 * repeated. Only a permanent error ends it.
 */
import { createClient, type ExecutionResult } from 'graphql-sse';
import { deliberateHeaders } from './client.js';
import { noteOpened, setConnected } from './connection-state.js';
import { type Document, textOf } from './graphql.js';
import { isIdle, onIdleChange } from './idle-disconnect.js';
import { releasedSink, SubscriptionController } from './stream/ended-subscriptions.js';
import { watchedFetch } from './stream/watched-fetch.js';

const connection = createClient({
  url: '/graphql/stream',
  singleConnection: true,
  lazyCloseTimeout: 2000,
  // The client would retry each subscription separately, with one connection each.
  retryAttempts: 0,
  // The client adds its reservation token to this object, so each connection needs a new one.
  headers: () => ({ ...deliberateHeaders }),
  fetchFn: watchedFetch,
  abortControllerImpl: SubscriptionController,
  on: { connected: noteOpened },
});

const firstDelayMs = 250;
/** While somebody looks at the page, and while nobody does. */
const longestDelayMs = { visible: 4000, hidden: 10_000 };

/** Errors after which the same request may succeed. */
const passing = new Set(['UNAVAILABLE', 'INTERNAL_SERVER_ERROR', 'LIMIT_EXCEEDED']);

let failures = 0;
let nextTry: Promise<void> | null = null;

/**
 * The delay before the next attempt, shared by everything that failed. It doubles with each failure, and ends when the browser is
 * online again or the page comes into view. Half of it is random, so that the pages of a service that was restarted come one by one.
 */
export function reconnection(): Promise<void> {
  if (nextTry) return nextTry;
  const longestMs = longestDelayMs[document.visibilityState];
  const delayMs = Math.min(firstDelayMs * 2 ** failures, longestMs) * (0.5 + Math.random() / 2);
  failures += 1;
  nextTry = new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      document.removeEventListener('visibilitychange', look);
      nextTry = null;
      resolve();
    };
    const look = () => !document.hidden && done();
    const timer = setTimeout(done, delayMs);
    addEventListener('online', done);
    document.addEventListener('visibilitychange', look);
  });
  return nextTry;
}

export interface Following<Data, Variables extends Record<string, unknown>> {
  document: Document<Data, Variables>;
  variables: Variables;
  next: (data: Data) => void;
  /** The cursor of an event, if the subscription has cursors. */
  cursorOf?: (data: Data) => string;
  /** Called when the service refuses the subscription permanently. */
  refused?: (code: string) => void;
}

/** Follows a subscription until the returned function is called or the service refuses it. */
export function follow<Data, Variables extends Record<string, unknown>>(
  following: Following<Data, Variables>,
): () => void {
  const { document, next, cursorOf, refused } = following;
  const query = textOf(document);
  let variables = { ...following.variables };
  let ended = false;
  let isOpen = false;
  let close: (() => void) | undefined;
  const receive = ({ data, errors }: ExecutionResult<Data>) => {
    if (ended) return;
    if (errors) {
      const code = String(errors[0]?.extensions?.['code'] ?? 'INTERNAL_SERVER_ERROR');
      if (passing.has(code)) return close?.();
      ended = true;
      refused?.(code);
    } else if (data) {
      failures = 0;
      if (cursorOf) variables = { ...variables, after: cursorOf(data) };
      next(data);
    }
  };
  const closed = () => {
    isOpen = false;
    if (!ended && !isIdle()) void reconnection().then(begin);
  };
  const begin = () => {
    if (ended || isOpen || isIdle()) return;
    isOpen = true;
    const error = () => {
      if (!ended) setConnected(false);
      closed();
    };
    const sink = releasedSink<ExecutionResult<Data>>({ next: receive, error, complete: closed });
    close = connection.subscribe<Data>({ query, variables }, sink);
  };
  begin();
  const stopListening = onIdleChange((isNowIdle) => (isNowIdle ? close?.() : begin()));
  return () => {
    ended = true;
    stopListening();
    close?.();
  };
}
