/** The long-lived parts of a process, created in `serve.ts` and passed explicitly. Tests create their own. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../prisma/generated/client/client.js';
import type { ReadSession } from './auth/session-cookie.js';
import type { RateLimits } from './http/minimum-rate.js';
import type { AttachmentStorage } from './modules/attachments/storage.js';
import type { ChangeSignals } from './modules/feeds/change-signals.js';
import type { OpenAccess } from './modules/identity/open-access.js';
import type { ViewerCache } from './modules/identity/viewer-cache.js';
import type { ModelChoice } from './modules/models/model-choice.js';
import type { Presence } from './modules/presence/presence.js';
import type { Slots } from './modules/responses/protocol/claim-at-once.js';
import type { TokenLog } from './modules/tokens/log/token-log.js';
import type { Budgets } from './modules/usage/budgets/budgets.js';
import type { Prices } from './modules/usage/prices.js';
import type { FairSemaphore } from './platform/fairness/fair-semaphore.js';
import type { ServiceMetrics } from './platform/metrics/service-metrics.js';
import type { Rates } from './platform/rates/rates.js';
import type { Tracing } from './platform/tracing/span.js';

export interface Services {
  database: PrismaClient;
  tokenLog: TokenLog;
  /** Lends the slots of this process's worker to statements that store a message. */
  slots: Slots;
  /** Signals changes to the followers of threads in this process. */
  threadChanges: ChangeSignals;
  /** Who reads and writes in threads now. */
  presence: Presence;
  /** Ends open streams and transfers when their access ends. */
  openAccess: OpenAccess;
  /** Whom tokens belong to, as looked up within the last second. */
  viewers: ViewerCache;
  /**
   * Turns for work that uses the database: operations and the reads of feeds. Nobody waits for a second turn while holding
   * one.
   */
  turns: FairSemaphore;
  /** Lookups of who calls, in turns by address. */
  lookups: FairSemaphore;
  /** Bytes of attachments in transit. */
  transfers: FairSemaphore;
  /** Turns for storing an attachment: meanwhile the driver and PostgreSQL hold five copies of it. */
  attachmentWrites: FairSemaphore;
  /** Limits on stored attachments. */
  attachmentStorage: AttachmentStorage;
  /** Bytes of large responses that are being built or sent. */
  answers: FairSemaphore;
  /** Limits how many passwords are hashed concurrently, in turns by address. */
  passwordHashes: FairSemaphore;
  /** The minimum rate at which clients must send bodies and read attachments. */
  bodyRate: RateLimits;
  logger: Logger;
  metrics: ServiceMetrics;
  /** Null if nothing is traced. */
  tracing: Tracing | null;
  publicUrl: string;
  /** What tokens cost, by model. */
  prices: Prices;
  /** Refuses messages that a budget does not allow. */
  budgets: Budgets;
  /** The models that may be chosen. */
  models: readonly ModelChoice[];
  /** Reads the session from a `Cookie` header. */
  readSession: ReadSession;
  /** Rate limits of callers. */
  rates: Rates;
}
