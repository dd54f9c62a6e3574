/** Starts what a process serves: the port of the service and, in a group, the private port for its other processes. */
import type { RequestListener } from 'node:http';
import type { Config } from '../../config.js';
import type { LimitsHit } from '../../platform/metrics/limits-hit.js';
import { type HttpServer, startHttpServer } from '../../platform/server/http-server.js';
import { forwardedOnly, forwardingStreams } from '../../platform/server/stream-forwarding.js';
import type { Member } from './member.js';

export interface GroupServer extends HttpServer {
  /** Null without a group. */
  privatePort: number | null;
}

export async function startServers(
  handler: RequestListener,
  { config, group, limitsHit }: { config: Config; group: Member | undefined; limitsHit: LimitsHit },
): Promise<GroupServer> {
  const options = { ...config, onRefused: (limit: string) => limitsHit.hit(limit) };
  if (!group) return { ...(await startHttpServer(handler, options)), privatePort: null };
  const { maxConnections } = config;
  const own = { host: '127.0.0.1', port: 0, maxConnections, isPrivate: true };
  const inner = await startHttpServer(forwardedOnly(handler, group), own);
  const outer = await startHttpServer(forwardingStreams(handler, group), options).catch(async (error: unknown) => {
    await inner.close();
    throw error;
  });
  return {
    url: outer.url,
    privatePort: Number(new URL(inner.url).port),
    drain: async (drainMs) => {
      await Promise.all([outer.drain(drainMs), inner.drain(drainMs)]);
    },
    close: async () => {
      await Promise.all([outer.close(), inner.close()]);
    },
    cutSoon: () => {
      outer.cutSoon();
      inner.cutSoon();
    },
  };
}
