/**
 * Connects the notifications of PostgreSQL to the parts that act on them, over one connection and a fixed set of
 * channels: each further channel or listener makes every notifying commit more expensive. A notification only tells to
 * look; after a gap everybody looks.
 */
import type { Logger } from 'pino';
import type { Role } from '../config.js';
import { nodeListens } from '../database/listen-connection.js';
import { Listener } from '../database/listener.js';
import type { ChangeSignals } from '../modules/feeds/change-signals.js';
import type { OpenAccess } from '../modules/identity/open-access.js';
import type { ViewerCache } from '../modules/identity/viewer-cache.js';
import type { Presence } from '../modules/presence/presence.js';
import type { Worker } from '../modules/responses/worker/worker.js';
import type { IntervalLoop } from '../platform/async/interval-loop.js';
import type { DatabaseAddress } from './open-database.js';
import { type TokenFeed, tokenChannel } from './token-feed.js';

export interface NotificationHandlers {
  feed: TokenFeed;
  threadChanges: ChangeSignals;
  presence: Presence;
  openAccess: OpenAccess;
  viewers: ViewerCache;
  accessCheck: IntervalLoop;
  worker: Worker | null;
}

/** The channel on which nodes tell each other who reads and writes. */
export const presenceChannel = 'thread_presence';

const channels = [
  'response_queued',
  'response_changed',
  'response_stop',
  'thread_changed',
  'access_ended',
  presenceChannel,
  tokenChannel,
];

/** A listener that is not connected yet. */
export function createListener(address: DatabaseAddress, role: Role, logger: Logger): Listener {
  const { directUrl: url, exclusive } = address;
  const isWorker = role !== 'api';
  return new Listener({ url, channels, applicationName: 'skein listen', isWorker, hasPeers: !exclusive, logger });
}

/** Listens until the listener is closed. Rejects if the first connection fails. */
export async function listenFor(
  listener: Listener,
  { feed, threadChanges, presence, openAccess, viewers, accessCheck, worker }: NotificationHandlers,
): Promise<void> {
  const wake = () => worker?.wake();
  listener.on('response_queued', { onNotification: wake, onReconnect: wake });
  listener.on('response_stop', {
    onNotification: (messageId) => worker?.stopResponse(messageId),
    onReconnect: () => worker?.lookForStops(),
  });
  listener.on('response_changed', {
    onNotification: (responseId) => feed.log.invalidate(responseId),
    onReconnect: () => feed.log.invalidateAll(),
  });
  listener.on('thread_changed', {
    onNotification: (payload) => threadChanges.receive(payload),
    onReconnect: () => threadChanges.receiveAll(),
  });
  listener.on('access_ended', {
    onNotification: (payload) => openAccess.receive(payload),
    onReconnect: () => accessCheck.now(),
  });
  listener.on('access_ended', {
    onNotification: (payload) => viewers.receive(payload),
    onLost: () => viewers.stop(),
    onReconnect: () => viewers.start(),
  });
  listener.on(presenceChannel, {
    onNotification: (payload) => presence.receive(payload),
    onReconnect: () => presence.repeat(),
  });
  listener.on(nodeListens, { onNotification: () => presence.repeat(), onReconnect: () => undefined });
  feed.listen(listener);
  await listener.open();
  viewers.start();
}
