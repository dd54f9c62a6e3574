/** Serves as one process of a group, for its primary process. */
import type { Config } from '../config.js';
import { createLogger } from '../log.js';
import { joinGroup, tell } from '../process/group/member.js';
import { serveProcess } from './serve-process.js';
import { memberShutdownTimeoutMs } from './shutdown-timeout.js';

export async function serveMember(config: Config): Promise<void> {
  const group = await joinGroup((number) => createLogger(config.logLevel, number));
  const { membership, logger } = group;
  const how = { printsFirstRunNotice: membership.printsFirstRunNotice, shutdownTimeoutMs: memberShutdownTimeoutMs };
  const service = await serveProcess({ config, logger, group, ...how });
  if (service) tell('serving', { url: service.url, privatePort: service.privatePort ?? 0 });
}
