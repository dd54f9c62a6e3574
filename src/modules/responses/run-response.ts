/**
 * One response, from the claim to its outcome. Faults that may pass are tried again: before the first token unseen, after it
 * as a new attempt under a new epoch, so that no stream ever mixes two attempts. What the log was given, joined, is what is
 * stored, character by character.
 */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { createId } from '../../ids.js';
import type { ContentBlock } from '../messages/content.js';
import type { TokenWriter } from '../tokens/token-log.js';
import { loadConversation, olderPart, type StoredMessage, storeSummary } from './conversation.js';
import { type GenerationLimits, limitGeneration } from './generation-limits.js';
import { GenerationError, type Processor } from './processor.js';
import { type Run, restart, type Worker } from './protocol.js';
import { pause, persist, type RetrySettings, retryDelayMs } from './retry.js';
import { type Outcome, settle } from './settle.js';
import { WellFormedText, wellFormed } from './well-formed-text.js';

export interface RunOptions {
  database: PrismaClient;
  processor: Processor;
  tokens: TokenWriter;
  worker: Worker;
  limits: GenerationLimits;
  retry: RetrySettings;
  contextTokens: number;
  logger: Logger;
  /** Aborts when the run is lost or the process stops: nothing more is published or stored then. */
  signal: AbortSignal;
  /** Told when the run goes on under a new epoch, so that the right lease is renewed. */
  onRestart: (run: Run) => void;
}

/** Runs the response until its outcome is stored, or the run is lost. Rejects only for a defect. */
export async function runResponse(options: RunOptions, first: Run): Promise<void> {
  let run = first;
  for (let tries = 0; ; tries += 1) {
    const answer = new Answer();
    options.tokens.open(run.messageId, run.epoch);
    const fault = await generate(options, run, answer).catch((error: unknown) => error);
    if (options.signal.aborted) return options.tokens.end(run.messageId, run.epoch);
    if (fault === undefined) return finish(options, run, { answer, outcome: { status: 'succeeded' } });
    options.logger.warn({ ...describe(run), fault: summarize(fault) }, 'the model failed');
    const next = await retried(options, run, { fault, tries, answer });
    if (!next) return finish(options, run, { answer, outcome: failure(fault) });
    if (next.epoch !== run.epoch) options.tokens.end(run.messageId, run.epoch);
    run = next;
  }
}

interface Failed {
  fault: unknown;
  tries: number;
  answer: Answer;
}

/** The run to go on with after a fault, or null where the fault is final. */
async function retried(options: RunOptions, run: Run, { fault, tries, answer }: Failed): Promise<Run | null> {
  if (!(fault instanceof GenerationError) || !fault.retryable) return null;
  const unseen = !answer.wasSeen;
  if (unseen && tries >= options.retry.maxUnseenTries) return null;
  await pause(retryDelayMs(options.retry, { tries, retryAfterMs: fault.retryAfterMs }), options.signal);
  if (options.signal.aborted) return run;
  if (unseen) return run;
  const restarted = await persist(options, () => restart(options.database, options.worker, run));
  if (restarted) options.onRestart(restarted);
  return restarted;
}

/** What the model has said in one attempt. */
class Answer {
  readonly id = createId('msg');
  text = '';
  readonly questions: ContentBlock[] = [];
  usage: { inputTokens: number | null; outputTokens: number | null } = { inputTokens: null, outputTokens: null };
  /** True once viewers were given any of it. */
  wasSeen = false;

  get contents(): ContentBlock[] {
    return this.text === '' ? this.questions : [{ type: 'text', text: this.text }, ...this.questions];
  }
}

async function generate(options: RunOptions, run: Run, answer: Answer): Promise<undefined> {
  const conversation = await prepare(options, run);
  const publish = (kind: 'text' | 'thinking', text: string) => {
    if (text === '') return;
    answer.wasSeen = true;
    if (kind === 'text') answer.text += text;
    options.tokens.append(run.messageId, run.epoch, { kind, text });
  };
  const text = new WellFormedText();
  const thinking = new WellFormedText();
  const source = (signal: AbortSignal) => options.processor.generate({ conversation, signal });
  for await (const event of limitGeneration(source, options.limits, options.signal)) {
    if (event.type === 'text') publish('text', text.push(event.text));
    else if (event.type === 'thinking') publish('thinking', thinking.push(event.text));
    else if (event.type === 'usage') answer.usage = event;
    else answer.questions.push(toBlock(event));
  }
  publish('thinking', thinking.flush());
  publish('text', text.flush());
}

function toBlock(event: { toolUseId: string; question: string; choices: string[] }): ContentBlock {
  const { toolUseId, question, choices } = event;
  return {
    type: 'user_get_choice',
    toolUseId: wellFormed(toolUseId),
    question: wellFormed(question),
    choices: choices.map(wellFormed),
  };
}

/** The conversation to send; summarized first where it has outgrown the model. A summary that fails changes nothing. */
async function prepare(options: RunOptions, run: Run): Promise<StoredMessage[]> {
  const conversation = await loadConversation(options.database, run.threadId);
  const older = conversation.slice(0, olderPart(conversation, options.contextTokens));
  const last = older.at(-1);
  if (!last) return conversation;
  try {
    const { signal } = options;
    const summary = wellFormed(await options.processor.summarize({ conversation: older, signal }));
    await storeSummary(options.database, run, { summary, sequence: last.sequence });
  } catch (error) {
    options.logger.warn({ ...describe(run), fault: summarize(error) }, 'the conversation could not be summarized');
    return conversation;
  }
  return loadConversation(options.database, run.threadId);
}

async function finish(
  options: RunOptions,
  run: Run,
  { answer, outcome }: { answer: Answer; outcome: Outcome },
): Promise<void> {
  const settlement = {
    run,
    outcome,
    answer: answer.contents.length > 0 ? { id: answer.id, contents: answer.contents } : null,
    usage: { model: options.processor.model, ...answer.usage },
  };
  const stored = await persist(options, () => settle(options.database, settlement));
  options.tokens.end(run.messageId, run.epoch);
  options.logger.info({ ...describe(run), outcome: stored ? outcome.status : 'lost' }, 'response ended');
}

function failure(fault: unknown): Outcome {
  if (fault instanceof GenerationError) return { status: 'failed', errorCode: fault.code, errorMessage: fault.message };
  return {
    status: 'failed',
    errorCode: 'internal_error',
    errorMessage: 'The response failed because of a defect in the service.',
  };
}

/** For the log: never a text of the conversation, never a provider's own words unless they name a network fault. */
function summarize(fault: unknown): Record<string, unknown> {
  if (fault instanceof GenerationError) return { code: fault.code, retryable: fault.retryable };
  return { err: fault };
}

function describe(run: Run) {
  return { threadId: run.threadId, messageId: run.messageId, attempt: run.attempt, epoch: run.epoch };
}
