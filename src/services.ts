/** The long-lived things of one process, made in `main.ts` and passed down by hand; tests make their own. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../prisma/generated/client/client.js';
import type { ReadSession } from './auth/session-cookie.js';
import type { FairSemaphore } from './fairness/fair-semaphore.js';
import type { RateLimits } from './http/minimum-rate.js';
import type { AttachmentStorage } from './modules/attachments/storage.js';
import type { ChangeSignals } from './modules/feeds/change-signals.js';
import type { OpenAccess } from './modules/identity/open-access.js';
import type { TokenLog } from './modules/tokens/log/token-log.js';
import type { Rates } from './rates/rates.js';
import type { KnownCallers } from './server/known-callers.js';

export interface Services {
  database: PrismaClient;
  tokenLog: TokenLog;
  /** Says to those who follow threads in this process that something has changed. */
  threadChanges: ChangeSignals;
  /** Ends what is open in this process when the access to it ends. */
  openAccess: OpenAccess;
  /** Says "look again" to the worker of this process, after a commit that queued a response. Carries no content. */
  wakeWorker: () => void;
  /**
   * Turns for work that uses the database: operations, each statement that runs beside
   * another of its operation, and the reads of those who follow something. Nobody waits for a second one while holding one.
   */
  turns: FairSemaphore;
  knownCallers: KnownCallers;
  /** Bytes of attachments that are in memory, on their way in or out. */
  transfers: FairSemaphore;
  /** Bytes of attachments that may be stored. */
  attachmentStorage: AttachmentStorage;
  /** Bytes of large answers that are being made, or that their callers have not taken yet. */
  answers: FairSemaphore;
  /** Passwords that are hashed at the same time, in turns of the addresses from which they come. */
  passwordHashes: FairSemaphore;
  /** How long somebody waits for that at most. */
  hashWaitMs: number;
  /** How slowly a client may send a body, or take an attachment. */
  bodyRate: RateLimits;
  logger: Logger;
  publicUrl: string;
  /** Finds whoever is signed in with a browser, in the value of a `Cookie` header. */
  readSession: ReadSession;
  /** How often callers may ask and send. */
  rates: Rates;
}
