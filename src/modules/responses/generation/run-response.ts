/**
 * Runs one response from its claim to its outcome. Temporary errors are retried: before the first token invisibly,
 * afterwards as a new attempt under a new epoch, so that streams never mix two attempts. `error` is the last resort,
 * because it is final for the thread; database outages are waited out.
 */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { pause } from '../../../platform/async/time-limit.js';
import type { Principal } from '../../../platform/fairness/principal.js';
import type { ServiceMetrics } from '../../../platform/metrics/service-metrics.js';
import type { Tracing } from '../../../platform/tracing/span.js';
import type { NewestConversation } from '../../messages/newest-messages.js';
import type { OutcomeWriter } from '../../tokens/log/token-log.js';
import type { Budgets } from '../../usage/budgets/budgets.js';
import type { ThreadNamer } from '../naming/thread-namer.js';
import { type ClaimedResponse, leftMs, type Worker } from '../protocol/claimed-response.js';
import { heartbeat } from '../protocol/lease.js';
import { noteRetry } from '../protocol/note-retry.js';
import { restart } from '../protocol/restart.js';
import { type Outcome, settle } from '../protocol/settle.js';
import { type ActiveRun, StopRequest } from '../worker/active-runs.js';
import { Answer } from './answer.js';
import { CallBudget } from './call-budget.js';
import { checkBudgets } from './check-budgets.js';
import { estimatedTokens, prepareConversation, type StatementTurns } from './conversation.js';
import { faultOfAll, type Models, mayAnotherAnswer } from './fallback.js';
import { type GenerationLimits, limitGeneration, outOfTime } from './limits.js';
import { lastingErrors, operatorActions } from './operator-actions.js';
import { GenerationError, type Processor, type TakeEvent } from './processor.js';
import { persist, planRetry, type Retry, type RetrySettings } from './retry.js';
import { RunMeter } from './run-meter.js';

export interface RunOptions {
  /** What the claim returned of the thread, for the first call; null: it is read. */
  conversation?: NewestConversation | null;
  database: PrismaClient;
  /** Of the default model, and of those that answer when it does not. */
  processors: Models;
  /** Of the models that may be chosen, by name. */
  chosenProcessors?: ReadonlyMap<string, Processor>;
  tokens: OutcomeWriter;
  /**
   * Limits the conversations that are read and the outcomes that are stored concurrently. When many responses begin or
   * end together, requests still find a connection, and the last tokens are published first.
   */
  inTurn: StatementTurns;
  worker: Worker;
  limits: GenerationLimits;
  retry: RetrySettings;
  contextTokens: number;
  /** Names threads that nobody has named; null: they stay without a name. */
  namer: Pick<ThreadNamer, 'consider' | 'stop'> | null;
  budgets: Budgets;
  metrics: ServiceMetrics;
  tracing: Tracing | null;
  logger: Logger;
}

/**
 * Runs the response of `entry` until its outcome is stored or the run is lost. Never rejects: a defect is logged and ends the
 * response as failed. If not even that can be stored, nobody renews the lease, and another attempt follows.
 */
export async function runResponse(options: RunOptions, entry: ActiveRun): Promise<void> {
  const { signal } = entry.abort;
  const { threadId, messageId } = entry.run;
  const { metrics, tracing } = options;
  const processors = processorsOf(options, entry.run);
  const meter = new RunMeter({ metrics, tracing, model: processors[0].model }, entry.run);
  const { span } = meter;
  const logger = options.logger.child({ threadId, messageId, ...(span ? { traceId: span.traceId } : {}) });
  let outcome: Outcome['status'] | 'lost' | undefined;
  try {
    outcome = await new ResponseRun({ ...options, processors, logger, meter }, entry).toOutcome();
    meter.ended(outcome);
    logger.info({ attempt: entry.run.attempt, outcome, ...meter.facts }, 'response ended');
  } catch (error) {
    meter.ended('abandoned');
    if (signal.aborted)
      logger.warn({ attempt: entry.run.attempt, reason: signal.reason.message }, 'response abandoned');
    else logger.error({ attempt: entry.run.attempt, err: error }, defect);
  } finally {
    // Without success viewers must read the row: it has its outcome, or another worker will store one.
    options.tokens.end(messageId, entry.run.epoch, outcome === 'succeeded');
  }
}

/**
 * That of the model that was chosen when the message was sent, which no other replaces. Another node, or this one before a restart,
 * may have offered more.
 */
function processorsOf({ processors, chosenProcessors, logger }: RunOptions, run: ClaimedResponse): Models {
  const { chosenModel, threadId, messageId } = run;
  const { model } = processors[0];
  if (chosenModel === null || chosenModel === model) return processors;
  const chosen = chosenProcessors?.get(chosenModel);
  if (chosen) return [chosen];
  const line = { threadId, messageId, chosenModel, model };
  logger.warn(line, 'the chosen model is not configured; the default model generates the response');
  return processors;
}

const defect = 'response failed because of a defect';
const callsUsedUp = 'The AI model was called as often as is allowed for one response, without success.';

class ResponseRun {
  readonly #options: RunOptions & { meter: RunMeter; signal: AbortSignal };
  readonly #entry: ActiveRun;
  readonly #calls: CallBudget;
  #known: NewestConversation | null;
  /** The output of the present attempt. */
  #answer: Answer | undefined;
  /** That the model has refused the conversation for its length. */
  #tooLong: { tokens: number; fault: unknown } | undefined;
  /** The conversation of the last call, estimated. */
  #tokens = 0;

  constructor(options: RunOptions & { meter: RunMeter }, entry: ActiveRun) {
    this.#options = { ...options, signal: entry.generation.signal };
    this.#entry = entry;
    this.#known = options.conversation ?? null;
    this.#calls = new CallBudget(options.retry.maxCalls, entry.run.callsBefore);
  }

  /**
   * Resolves to the stored outcome, or `lost` if another worker has the run. Throws what ended an aborted run, and a defect by
   * which no outcome could be stored.
   */
  async toOutcome(): Promise<Outcome['status'] | 'lost'> {
    try {
      return await this.#untilOutcome();
    } catch (error) {
      const { abort, generation } = this.#entry;
      if (!this.#answer || abort.signal.aborted) throw error;
      this.#answer.complete();
      const isStopped = generation.signal.aborted || error instanceof StopRequest;
      return isStopped ? this.#store(this.#answer, { status: 'interrupted' }) : this.#storeDefect(this.#answer, error);
    }
  }

  /** The error may be about the answer itself; the response must end even then. */
  async #storeDefect(answer: Answer, error: unknown): Promise<Outcome['status'] | 'lost'> {
    const { abort, run } = this.#entry;
    this.#options.logger.error({ attempt: run.attempt, err: error }, defect);
    try {
      return await this.#store(answer, failureOf(error));
    } catch (second) {
      if (abort.signal.aborted) throw second;
      return this.#store(answer, failureOf(error), { hasText: false });
    }
  }

  async #untilOutcome(): Promise<Outcome['status'] | 'lost'> {
    const { retry, worker, processors } = this.#options;
    if (this.#entry.run.isStopRequested)
      this.#entry.generation.abort(new StopRequest('it was stopped before it began'));
    for (let tries = 0; ; tries += 1) {
      const { answer, faults } = await this.#callModels(processors);
      if (faults.length === 0) return this.#store(answer, { status: 'succeeded' });
      const { wasSeen } = answer;
      const fault = wasSeen ? faults.at(-1) : faultOfAll(faults);
      if (!wasSeen && this.#mayShorten(fault)) continue;
      const maxAttempts = worker.lease.maxAttempts;
      const { attempt } = this.#entry.run;
      const failed = { fault, tries, wasSeen, attempt, maxAttempts, leftMs: this.#leftMs, calls: this.#calls };
      const again = planRetry(retry, { ...failed, models: processors.length });
      this.#logFault(faults.at(-1), { tries, again });
      // Otherwise a heartbeat could publish it while the next try, of the same epoch, starts from nothing.
      if (!wasSeen) this.#entry.fence.drop();
      if (!again || !(await this.#mayTryAgain(again))) return this.#store(answer, failureOf(fault));
    }
  }

  /**
   * Calls the models in their order until one answers, as long as viewers have seen nothing. `faults` are those of the models that
   * were called; none if the last one has answered.
   */
  async #callModels(
    [processor, ...others]: Models,
    earlier: readonly unknown[] = [],
  ): Promise<{ answer: Answer; faults: readonly unknown[] }> {
    const { tokens, signal, meter } = this.#options;
    // It discards what an earlier model has said unseen.
    const answer = new Answer(tokens, this.#entry);
    this.#answer = answer;
    const fault = await this.#generate(answer, processor).catch((error: unknown) => error);
    signal.throwIfAborted();
    if (fault === undefined) return { answer, faults: [] };
    const faults = [...earlier, fault];
    const [next, ...rest] = others;
    const isOver = this.#calls.left === 0 || this.#leftMs <= 0;
    if (!next || isOver || answer.wasSeen || !mayAnotherAnswer(fault)) return { answer, faults };
    const facts = { model: processor.model, nextModel: next.model };
    this.#warn(fault, 'the model did not answer, and the next one is called', facts);
    meter.fallsBack(fault);
    return this.#callModels([next, ...rest], faults);
  }

  /** One line for each call that fails: when the model is called again, or that it is not. */
  #logFault(fault: unknown, { tries, again }: { tries: number; again: Retry | null }): void {
    if (again) {
      const { nextTry, maxTries, delayMs: retryInMs } = again;
      this.#warn(fault, 'the model call failed and is repeated', { tries, nextTry, maxTries, retryInMs });
    } else this.#warn(fault, 'the model call failed', { tries });
  }

  #warn(fault: unknown, message: string, facts: object): void {
    const { logger, meter } = this.#options;
    const { attempt, epoch } = this.#entry.run;
    const { model, providerRequestId } = meter.facts;
    const line = { attempt, epoch, model, ...facts, providerRequestId, err: fault };
    if (fault instanceof GenerationError) {
      const level = lastingErrors.has(fault.code) ? 'error' : 'warn';
      logger[level]({ ...line, action: operatorActions[fault.code] }, message);
    } else logger.error(line, defect);
  }

  /** A conversation that is too long for the model is summarized once, as if its context were that much smaller. */
  #mayShorten(fault: unknown): boolean {
    const isTooLong = fault instanceof GenerationError && fault.code === 'model_context_exceeded';
    if (!isTooLong || this.#tooLong || this.#calls.left < 2) return false;
    this.#tooLong = { tokens: this.#tokens, fault };
    this.#entry.fence.drop();
    this.#options.logger.warn({ err: fault }, 'the conversation is too long for the model and is summarized');
    return true;
  }

  async #generate(answer: Answer, processor: Processor): Promise<undefined> {
    const { database, limits, meter, logger, signal } = this.#options;
    const { run } = this.#entry;
    const { messages: conversation, instructions } = await this.#prepare(processor);
    answer.follow(conversation);
    if (this.#leftMs <= 0) throw outOfTime();
    const totalMs = Math.min(limits.totalMs, this.#leftMs);
    const principal = () => persist(this.#options, () => principalOf(database, run.threadId));
    await meter.call(processor.model, signal, async (call) => {
      const onRequestId = (id: string) => {
        call.requestId = id;
      };
      const told = { headers: call.headers, onRequestId, calls: this.#calls, logger };
      const asked = { conversation, instructions, principal, ...told };
      const source = (inner: AbortSignal, take: TakeEvent) => processor.generate({ ...asked, signal: inner }, take);
      await limitGeneration(source, { limits: { ...limits, totalMs }, signal }, (event) => {
        call.see(event);
        answer.take(event);
      });
    });
    answer.complete();
  }

  async #prepare(processor: Processor): Promise<NewestConversation> {
    const calls = this.#calls;
    if (calls.left === 0) throw new GenerationError('model_failed', callsUsedUp, { retryable: false });
    if (this.#leftMs <= 0) throw outOfTime();
    await checkBudgets(this.#options, this.#entry.run);
    const [contextTokens, span] = [this.#contextTokens, this.#options.meter.span];
    const known = this.#known;
    this.#known = null;
    const options = { ...this.#options, processor, contextTokens, calls, span };
    const prepared = await prepareConversation(options, this.#entry.run, known);
    this.#tokens = estimatedTokens(prepared.messages);
    if (this.#tooLong && this.#tokens >= this.#tooLong.tokens) throw this.#tooLong.fault;
    return prepared;
  }

  /** Until the deadline, in whole milliseconds, because a timer may end a little before its time. */
  get #leftMs(): number {
    return Math.floor(leftMs(this.#entry.run));
  }

  get #contextTokens(): number {
    const { contextTokens } = this.#options;
    return this.#tooLong ? Math.min(contextTokens, this.#tooLong.tokens - 1) : contextTokens;
  }

  /** Waits before a retry, and starts a new epoch if viewers have seen text. False if the run cannot start over. */
  async #mayTryAgain(retry: Retry): Promise<boolean> {
    const { database, worker, meter, signal } = this.#options;
    const { fault, wasSeen, delayMs } = retry;
    await Promise.all([pause(delayMs, signal), this.#tellOf(retry)]);
    signal.throwIfAborted();
    meter.retries(fault);
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

  /** Lets the viewers know why nothing comes. They learn it from the row, so those of other nodes and late ones do too. */
  #tellOf({ fault, wasSeen, nextTry: call, maxTries: maxCalls }: Retry): Promise<void> {
    const { code, message } = fault;
    const note = { call, maxCalls, wasSeen, code, message, spent: this.#calls.spent + 1 };
    return persist(this.#options, () => noteRetry(this.#options.database, this.#entry.run, note));
  }

  /** A restart also fails after a stop request, whose notification may still be pending. */
  async #throwIfStopped(): Promise<void> {
    const { database, worker } = this.#options;
    const [mine] = await persist(this.#options, () => heartbeat(database, worker, [this.#entry.run]));
    if (mine?.isStopRequested) throw new StopRequest('it was stopped while it was tried again');
  }

  async #store(answer: Answer, outcome: Outcome, { hasText = true } = {}): Promise<Outcome['status'] | 'lost'> {
    const { database, inTurn, meter, namer, logger } = this.#options;
    const { signal } = this.#entry.abort;
    const { id, contents, reasoning, isTruncated, usage } = answer;
    const settlement = {
      run: this.#entry.run,
      outcome,
      answer: hasText && contents.length > 0 ? { id, contents, reasoning } : null,
      usage: { model: meter.model, ...usage, isTruncated, msSinceFirstToken: meter.msSinceFirstToken },
    };
    this.#options.tokens.settling(this.#entry.run.messageId, this.#entry.run.epoch);
    const { isStored, isUnnamed } = await persist({ signal, logger }, () => inTurn(() => settle(database, settlement)));
    if (isStored) this.#entry.fence.release();
    if (isUnnamed && outcome.status === 'succeeded') namer?.consider(this.#entry.run);
    return isStored ? outcome.status : 'lost';
  }
}

/** The owner of the thread, as for claims. */
async function principalOf(database: PrismaClient, id: string): Promise<Principal> {
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
