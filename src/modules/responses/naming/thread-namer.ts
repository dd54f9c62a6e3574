/**
 * Gives threads that nobody has named a short title, which the model makes from their latest messages. It happens once for a thread,
 * after a response has succeeded, beside everything else: it is never waited for, and a thread whose naming fails is tried again
 * after its next response. The name has a column of its own, so it cannot replace one that a person gave.
 */
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { withinMs } from '../../../platform/async/time-limit.js';
import { textOf } from '../../messages/content.js';
import { readNewest } from '../../messages/newest-messages.js';
import { addUsage } from '../../usage/add-usage.js';
import type { Budgets } from '../../usage/budgets/budgets.js';
import { type Models, mayAnotherAnswer } from '../generation/fallback.js';
import type { ConversationMessage, Processor, Usage } from '../generation/processor.js';
import type { ClaimedResponse } from '../protocol/claimed-response.js';
import { cleanName } from './clean-name.js';

export interface ThreadNamerOptions {
  database: PrismaClient;
  processors: Models<NamingModel>;
  budgets: Budgets;
  logger: Logger;
}

type NamingModel = Pick<Processor, 'name' | 'model'>;

/** A thread, and whom its name is charged to: who asked for the response after which it is named. */
type NamedThread = Pick<ClaimedResponse, 'threadId' | 'payer'>;

/** Threads that are named at the same time, and those that may wait for it. */
const most = { atOnce: 4, waiting: 200 };
/** What the model is given: enough for a name, whatever the messages are. */
const excerpt = { messages: 4, bytes: 64 * 1024, characters: 2000 };

export class ThreadNamer {
  readonly #options: ThreadNamerOptions;
  readonly #inTurn = pLimit(most.atOnce);
  readonly #end = new AbortController();
  readonly #naming = new Set<Promise<void>>();

  constructor(options: ThreadNamerOptions) {
    this.#options = options;
  }

  /** Names the thread in the background, unless too many are waiting for a name. */
  consider(thread: NamedThread): void {
    if (this.#end.signal.aborted || this.#inTurn.pendingCount >= most.waiting) return;
    const naming = this.#inTurn(() => this.#name(thread)).finally(() => this.#naming.delete(naming));
    this.#naming.add(naming);
  }

  /** Gives up what is under way, and waits for that only briefly. */
  async stop(): Promise<void> {
    this.#end.abort(new Error('the process is stopping'));
    await withinMs(1000, Promise.allSettled(this.#naming));
  }

  async #name({ threadId, payer }: NamedThread): Promise<void> {
    const { database, budgets, logger } = this.#options;
    const { signal } = this.#end;
    if (signal.aborted) return;
    try {
      await budgets.check(payer);
      const latest = await readNewest(database, { threadId, count: excerpt.messages, bytes: excerpt.bytes });
      const name = cleanName(await this.#ask({ threadId, payer }, latest.map(shortened)));
      if (name !== null) await storeName(database, threadId, name);
    } catch (error) {
      if (!signal.aborted) logger.warn({ threadId, err: error }, 'the thread could not be named');
    }
  }

  /** Asks the models in their order until one answers. */
  async #ask(
    thread: NamedThread,
    conversation: ConversationMessage[],
    [processor, ...others]: Models<NamingModel> = this.#options.processors,
  ): Promise<string> {
    const { threadId, payer } = thread;
    const { database } = this.#options;
    const used: Pick<Usage, 'inputTokens' | 'outputTokens'>[] = [];
    try {
      return await processor.name({ conversation, signal: this.#end.signal, onUsage: (usage) => used.push(usage) });
    } catch (error) {
      const [next, ...rest] = others;
      if (!next || !mayAnotherAnswer(error)) throw error;
      return await this.#ask(thread, conversation, [next, ...rest]);
    } finally {
      for (const { inputTokens, outputTokens } of used) {
        await addUsage(database, { threadId, payer, model: processor.model, inputTokens, outputTokens });
      }
    }
  }
}

/** The message as text alone, cut to its beginning, where people say what they want. */
function shortened({ role, contents }: ConversationMessage): ConversationMessage {
  const text = textOf(contents).slice(0, excerpt.characters).toWellFormed();
  return { role, contents: [{ type: 'text', text }] };
}

/** Does not move the thread in lists, and changes nothing if it was named meanwhile. */
async function storeName(database: PrismaClient, threadId: string, name: string): Promise<void> {
  await database.$queryRaw`
    UPDATE thread SET generated_name = ${name} WHERE id = ${threadId} AND name IS NULL AND generated_name IS NULL
    RETURNING id`;
}
