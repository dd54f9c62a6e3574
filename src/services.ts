/** The long-lived things of one process, made in `main.ts` and passed down by hand; tests make their own. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../prisma/generated/client/client.js';
import type { ReadSession } from './auth/session-cookie.js';
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
  /** Finds whoever is signed in with a browser, in the value of a `Cookie` header. */
  readSession: ReadSession;
}
