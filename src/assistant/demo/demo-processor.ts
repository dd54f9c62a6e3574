/**
 * The model `demo`, for trying the service without network or key. It is stateless: its response depends on the
 * conversation alone, so a second attempt produces the same.
 */
import { textOf } from '../../modules/messages/content.js';
import type {
  GenerateOptions,
  GenerationEvent,
  Processor,
  TakeEvent,
} from '../../modules/responses/generation/processor.js';
import { GenerationError } from '../../modules/responses/generation/processor.js';
import { pause } from '../../platform/async/time-limit.js';
import { generationFault } from '../generation-faults.js';
import type { DemoAct } from './demo-acts.js';
import { demoActs, demoSummary } from './demo-acts.js';

export interface DemoSettings {
  /** Time before each word, in milliseconds. */
  wordDelayMs?: number;
  /** Waits for the delay, or until the signal is aborted. */
  wait?: typeof pause;
}

const slowFactor = 10;
/** More makes a row of the list hard to read. */
const wordsOfName = 8;

export class DemoProcessor implements Processor {
  readonly model = 'demo';
  readonly #wordDelayMs: number;
  readonly #wait: typeof pause;

  constructor({ wordDelayMs = 30, wait = pause }: DemoSettings = {}) {
    this.#wordDelayMs = wordDelayMs;
    this.#wait = wait;
  }

  async generate({ conversation, signal }: GenerateOptions, take: TakeEvent): Promise<void> {
    const { slow, acts } = demoActs(conversation);
    const pauseMs = this.#wordDelayMs * (slow ? slowFactor : 1);
    let outputTokens = 0;
    for (const act of acts) {
      for (const event of eventsOf(act)) {
        await this.#pause(pauseMs, signal);
        outputTokens += 1;
        take(event);
      }
    }
    const inputTokens = conversation.reduce((sum, { contents }) => sum + wordsOf(textOf(contents)).length, 0);
    take({ type: 'usage', inputTokens, outputTokens });
  }

  async summarize({ conversation, signal }: GenerateOptions): Promise<string> {
    await this.#pause(this.#wordDelayMs, signal);
    if (conversation.length === 0) throw generationFault('model_empty_response');
    return demoSummary(conversation);
  }

  async name({ conversation, signal }: GenerateOptions): Promise<string> {
    await this.#pause(this.#wordDelayMs, signal);
    const asked = conversation.find(({ role }) => role === 'user');
    const name = nameOf(textOf(asked?.contents ?? []));
    if (name === '') throw generationFault('model_empty_response');
    return name;
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    await this.#wait(delayMs, signal);
    signal.throwIfAborted();
  }
}

function* eventsOf(act: DemoAct): Generator<GenerationEvent> {
  if (act.type === 'fail') throw new GenerationError('model_failed', act.message, { retryable: act.retryable });
  if (act.type === 'choice') yield act;
  else for (const text of wordsOf(act.text)) yield { type: act.type, text };
}

/** The first sentence, without marks of Markdown; of a longer one its first words. */
function nameOf(text: string): string {
  const [sentence = ''] = text.replace(/^(?:[\s>#+-]|\*\s)+/, '').split(/[\r\n]|(?<=[.!?])\s|(?<=[。！？])/u);
  const words = wordsOf(sentence.replace(/(\*\*|[*`])(\S|\S.*?\S)\1/g, '$2'));
  const name = words.slice(0, wordsOfName).join('').trim();
  return words.length > wordsOfName ? `${name}…` : name.replace(/[.:]$/, '');
}

/** Each word with the white space after it. Concatenated, the pieces are the text. */
function wordsOf(text: string): string[] {
  return text.match(/^\s+|\S+\s*/g) ?? [];
}
