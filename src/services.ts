/** The long-lived things of one process, made in `main.ts` and passed down by hand; tests make their own. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../prisma/generated/client/client.js';
import type { ChangeSignals } from './modules/changes/change-signals.js';
import type { TokenLog } from './modules/tokens/token-log.js';

export interface Services {
  database: PrismaClient;
  tokenLog: TokenLog;
  /** Says to those who follow threads in this process that something has changed. */
  threadChanges: ChangeSignals;
  /** Says "look again" to the worker of this process, after a commit that queued a response. Carries no content. */
  wakeWorker: () => void;
  logger: Logger;
  publicUrl: string;
}
