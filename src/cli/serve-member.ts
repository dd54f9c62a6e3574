/** Serves as one process of a group, for its primary process. */
import type { Config } from '../config.js';
import { createLogger } from '../log.js';
import { askMembership, Member } from '../process/group/member.js';
import { explainedStatus } from '../process/group/messages.js';
import { serveProcess } from './serve-process.js';
import { memberShutdownTimeoutMs } from './shutdown-timeout.js';

export async function serveMember(config: Config): Promise<void> {
  const membership = await askMembership();
  const logger = createLogger(config.logLevel, membership.number);
  const group = new Member(membership, logger);
  const { printsFirstRunNotice } = membership;
  const options = {
    config,
    logger,
    group,
    printsFirstRunNotice,
    shutdownTimeoutMs: memberShutdownTimeoutMs,
    failedStatus: explainedStatus,
  };
  const service = await serveProcess(options);
  if (service) group.serving(service.url, service.privatePort ?? 0);
}
