/**
 * Runs one response from its claim to its outcome. Temporary errors are retried: before the first token invisibly,
 * afterwards as a new attempt under a new epoch, so that streams never mix two attempts. `error` is the last resort,
 * because it is final for the thread; database outages are waited out.
 */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { pause } from '../../../async/time-limit.js';
import type { Party } from '../../../fairness/party.js';
import type { TokenWriter } from '../../tokens/log/token-log.js';
import type { Worker } from '../protocol/claimed-response.js';
import { heartbeat } from '../protocol/lease.js';
import { restart } from '../protocol/restart.js';
import { type Outcome, settle } from '../protocol/settle.js';
import { type ActiveRun, StopRequest } from '../worker/active-runs.js';
import { Answer } from './answer.js';
import { prepareConversation, type StatementTurns } from './conversation.js';
import { type GenerationLimits, limitGeneration } from './limits.js';
import { GenerationError, type Processor } from './processor.js';
import { persist, type RetrySettings, retryDelayMs } from './retry.js';

export interface RunOptions {
  database: PrismaClient;
  processor: Processor;
  tokens: TokenWriter;
  /**
   * Limits the conversations that are read and the outcomes that are stored concurrently. When many responses begin or
   * end together, requests still find a connection, and the last tokens are published first.
   */
  inTurn: StatementTurns;
  worker: Worker;
  limits: GenerationLimits;
  retry: RetrySettings;
  contextTokens: number;
  logger: Logger;
}

/**
 * Runs the response of `entry` until its outcome is stored or the run is lost. Never rejects: a defect is logged, and
 * since nobody renews the lease, another attempt follows.
 */
export async function runResponse(options: RunOptions, entry: ActiveRun): Promise<void> {
  const { signal } = entry.abort;
  const { threadId, messageId } = entry.run;
  const logger = options.logger.child({ threadId, messageId });
  try {
    const outcome = await new ResponseRun({ ...options, logger }, entry).toOutcome();
    logger.info({ attempt: entry.run.attempt, outcome }, 'response ended');
  } catch (error) {
    if (signal.aborted) logger.warn({ attempt: entry.run.attempt, err: signal.reason }, 'response abandoned');
    else logger.error({ attempt: entry.run.attempt, err: error }, 'response failed because of a defect');
  } finally {
    // Viewers must read the row: it has its outcome, or another worker will store one.
    options.tokens.end(messageId, entry.run.epoch);
  }
}

class ResponseRun {
  readonly #options: RunOptions & { signal: AbortSignal };
  readonly #entry: ActiveRun;
  /** The output of the present attempt. */
  #answer: Answer | undefined;

  constructor(options: RunOptions, entry: ActiveRun) {
    this.#options = { ...options, signal: entry.abort.signal };
    this.#entry = entry;
  }

  /** Resolves to the stored outcome, or `lost` if another worker has the run. Throws the abort reason of the signal. */
  async toOutcome(): Promise<Outcome['status'] | 'lost'> {
    try {
      return await this.#untilOutcome();
    } catch (error) {
      if (!(error instanceof StopRequest) || !this.#answer) throw error;
      this.#answer.complete();
      return this.#store(this.#answer, { status: 'interrupted' });
    }
  }

  async #untilOutcome(): Promise<Outcome['status'] | 'lost'> {
    const { tokens, logger, signal } = this.#options;
    if (this.#entry.run.isStopRequested) this.#entry.abort.abort(new StopRequest('it was stopped before it began'));
    for (let tries = 0; ; tries += 1) {
      const { attempt, epoch } = this.#entry.run;
      const answer = new Answer(tokens, this.#entry);
      this.#answer = answer;
      const fault = await this.#generate(answer).catch((error: unknown) => error);
      signal.throwIfAborted();
      if (fault === undefined) return this.#store(answer, { status: 'succeeded' });
      logger.warn({ attempt, epoch, tries, err: fault }, 'the model call failed');
      const { wasSeen } = answer;
      // Otherwise a heartbeat could publish it while the next try, of the same epoch, starts from nothing.
      if (!wasSeen) this.#entry.fence.drop();
      if (!(await this.#mayTryAgain({ fault, tries, wasSeen }))) {
        return this.#store(answer, failureOf(fault));
      }
    }
  }

  async #generate(answer: Answer): Promise<undefined> {
    const { database, processor, limits, signal } = this.#options;
    const { run } = this.#entry;
    const conversation = await prepareConversation(this.#options, run);
    const totalMs = Math.min(limits.totalMs, Math.max(0, run.deadlineMs - performance.now()));
    const party = () => persist(this.#options, () => partyOf(database, run.threadId));
    const source = (inner: AbortSignal) => processor.generate({ conversation, party, signal: inner });
    for await (const event of limitGeneration(source, { ...limits, totalMs }, signal)) answer.take(event);
    answer.complete();
  }

  /** Waits before a retry, and starts a new epoch if viewers have seen text. False if the error is final. */
  async #mayTryAgain(failed: { fault: unknown; tries: number; wasSeen: boolean }): Promise<boolean> {
    const { database, worker, retry, signal } = this.#options;
    const { fault, tries, wasSeen } = failed;
    if (!(fault instanceof GenerationError) || !fault.retryable) return false;
    if (!wasSeen && tries >= retry.maxUnseenTries) return false;
    await pause(retryDelayMs(retry, { tries, retryAfterMs: fault.retryAfterMs }), signal);
    signal.throwIfAborted();
    if (!wasSeen) return true;
    const entry = this.#entry;
    entry.isRestarting = true;
    let askedMs = performance.now();
    const restarted = await persist(this.#options, () => {
      askedMs = performance.now();
      return restart(database, worker, entry.run);
    });
    entry.isRestarting = false;
    if (restarted) {
      entry.run = restarted;
      entry.fence.confirm(askedMs);
    } else await this.#throwIfStopped();
    return restarted !== null;
  }

  /** A restart also fails after a stop request, whose notification may still be pending. */
  async #throwIfStopped(): Promise<void> {
    const { database, worker } = this.#options;
    const [mine] = await persist(this.#options, () => heartbeat(database, worker, [this.#entry.run]));
    if (mine?.isStopRequested) throw new StopRequest('it was stopped while it was tried again');
  }

  async #store(answer: Answer, outcome: Outcome): Promise<Outcome['status'] | 'lost'> {
    const { database, inTurn, processor } = this.#options;
    const { id, contents, usage } = answer;
    const settlement = {
      run: this.#entry.run,
      outcome,
      answer: contents.length > 0 ? { id, contents } : null,
      usage: { model: processor.model, ...usage },
    };
    const isStored = await persist(this.#options, () => inTurn(() => settle(database, settlement)));
    if (isStored) this.#entry.fence.release();
    return isStored ? outcome.status : 'lost';
  }
}

/** The owner of the thread, as for claims. */
async function partyOf(database: PrismaClient, id: string): Promise<Party> {
  const select = { ownerId: true, organizationId: true };
  const { ownerId: userId, organizationId } = await database.thread.findUniqueOrThrow({ where: { id }, select });
  return { organizationId, userId };
}

function failureOf(fault: unknown): Outcome {
  if (fault instanceof GenerationError) return { status: 'failed', errorCode: fault.code, errorMessage: fault.message };
  return {
    status: 'failed',
    errorCode: 'internal_error',
    errorMessage: 'The response failed because of a defect in the service.',
  };
}
