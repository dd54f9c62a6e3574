/**
 * What a process hears from PostgreSQL, and who acts on it. All of it comes over one connection and a fixed handful of
 * channels: each further channel or listener makes every commit that notifies dearer. A notification says "look", and little
 * else; after a gap everybody looks.
 */
import type { Logger } from 'pino';
import { type Listener, startListener } from '../database/listener.js';
import type { ChangeSignals } from '../modules/changes/change-signals.js';
import type { Worker } from '../modules/responses/worker.js';
import { type TokenFeed, tokenChannel } from './token-feed.js';

export interface Hearers {
  feed: TokenFeed;
  threadChanges: ChangeSignals;
  worker: Worker | null;
}

const channels = ['response_queued', 'response_changed', 'response_stop', 'thread_changed', tokenChannel];

/** Listens until the listener is closed. Rejects where the first connection fails. `url` leads past a pooler. */
export async function listenFor(
  { feed, threadChanges, worker }: Hearers,
  { url, logger }: { url: string; logger: Logger },
): Promise<Listener> {
  const listener = await startListener({ url, channels, applicationName: 'skein listen', logger });
  const wake = () => worker?.wake();
  listener.on('response_queued', { onNotification: wake, onReconnect: wake });
  listener.on('response_stop', {
    onNotification: (messageId) => worker?.stopResponse(messageId),
    onReconnect: () => undefined,
  });
  listener.on('response_changed', {
    onNotification: (responseId) => feed.log.nudge(responseId),
    onReconnect: () => feed.log.nudgeAll(),
  });
  listener.on('thread_changed', {
    onNotification: (payload) => threadChanges.receive(payload),
    onReconnect: () => threadChanges.receiveAll(),
  });
  feed.listen(listener);
  return listener;
}
