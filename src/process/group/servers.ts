/** Starts what a process serves: the port of the service and, in a group, the private port for its other processes. */
import type { RequestListener } from 'node:http';
import type { Config } from '../../config.js';
import { type HttpServer, startHttpServer } from '../../server/http-server.js';
import { forwardedOnly, forwardingStreams } from '../../server/stream-forwarding.js';
import type { Member } from './member.js';

export interface GroupServer extends HttpServer {
  /** Null without a group. */
  privatePort: number | null;
}

export async function startServers(
  handler: RequestListener,
  { config, group }: { config: Config; group: Member | undefined },
): Promise<GroupServer> {
  if (!group) return { ...(await startHttpServer(handler, config)), privatePort: null };
  const { maxConnections } = config;
  const own = { host: '127.0.0.1', port: 0, maxConnections, isPrivate: true };
  const inner = await startHttpServer(forwardedOnly(handler, group), own);
  const outer = await startHttpServer(forwardingStreams(handler, group), config).catch(async (error: unknown) => {
    await inner.close();
    throw error;
  });
  return {
    url: outer.url,
    privatePort: Number(new URL(inner.url).port),
    close: async () => {
      await Promise.all([outer.close(), inner.close()]);
    },
    cutSoon: () => {
      outer.cutSoon();
      inner.cutSoon();
    },
  };
}
