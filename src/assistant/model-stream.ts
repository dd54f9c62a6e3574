/**
 * One call of a model as our own events, whoever makes it. Decides what the parts of an answer mean: leading tags are
 * thinking, a reason to finish is a success or a failure, a call of the tool is a question. Questions are emitted only after
 * the whole answer.
 */
import type { GenerateOptions, TakeEvent } from '../modules/responses/generation/processor.js';
import { type AskedQuestion, readQuestion } from './asked-question.js';
import { meaningOf } from './finish-reasons.js';
import { generationFault, toGenerationError } from './generation-faults.js';
import type { LanguageModel, ModelEnd, ModelPart, ModelRequest, ToolCall } from './language-model.js';
import { TextCalls, type TextRead } from './text-calls.js';
import { ThinkTags } from './think-tags.js';

export interface StreamOptions {
  model: LanguageModel;
  request: ModelRequest;
  /** Whether the template of the model opens the thinking, so that only its end is in the text. */
  opensThinking: boolean;
  logger?: GenerateOptions['logger'];
}

/** Maximum number of questions in a response; the next message answers all of them. */
const maximumQuestions = 10;
/** Maximum length of a call id. Providers use about forty characters. */
const maximumCallId = 255;

/** The cause of an answer that is nothing but calls that cannot be used. It is asked for again without tools. */
export class UnusableCall extends Error {}

/**
 * Calls the model once and gives `take` its events. Throws the abort reason of `signal`, or a GenerationError. Parts that
 * only show that the model is working become empty `thinking` events.
 */
export async function streamModel(options: StreamOptions, take: TakeEvent): Promise<void> {
  const { model, request } = options;
  const answer = new AnswerParts(options, take);
  try {
    request.signal.throwIfAborted();
    await model.stream(request, (part) => answer.take(part));
  } catch (error) {
    throw request.signal.aborted ? request.signal.reason : toGenerationError(error);
  }
}

class AnswerParts {
  readonly #options: StreamOptions;
  readonly #take: TakeEvent;
  readonly #tags: ThinkTags;
  readonly #textCalls: TextCalls | null;
  readonly #calls: ToolCall[] = [];
  /** Those in the text, which count where the server tells none apart: some do both. */
  readonly #written: ToolCall[] = [];
  #hasText = false;
  #hasThought = false;

  constructor(options: StreamOptions, take: TakeEvent) {
    this.#options = options;
    this.#take = take;
    this.#tags = new ThinkTags({ opensItself: options.opensThinking });
    this.#textCalls = options.request.tools.length > 0 ? new TextCalls() : null;
  }

  take(part: ModelPart): void {
    if (part.type === 'text') this.#say(part.text);
    else if (part.type === 'thinking') this.#thinkBeside(part.text);
    else if (part.type === 'alive') this.#hide(part.hiddenBytes);
    else if (part.type === 'call') this.#call(part);
    else this.#finish(part);
  }

  #say(text: string): void {
    const divided = this.#tags.isPassed ? { thinking: '', text } : this.#tags.push(text);
    if (divided.thinking !== '' || divided.text === '') this.#think(divided.thinking);
    if (divided.text !== '') this.#read(divided.text);
  }

  #read(text: string): void {
    this.#write(this.#textCalls?.push(text) ?? { text, calls: [] });
  }

  #write({ text, calls }: TextRead): void {
    this.#written.push(...calls);
    if (text === '') this.#hide(0);
    else this.#text(text);
  }

  #thinkBeside(text: string): void {
    if (text !== '') this.#tags.noteThinking();
    this.#think(text);
  }

  /** Models that may think, but do not, send an empty line in its place. */
  #think(text: string): void {
    const thought = this.#hasThought ? text : text.trimStart();
    this.#hasThought ||= thought !== '';
    this.#take({ type: 'thinking', text: thought });
  }

  #hide(hiddenBytes: number): void {
    this.#take({ type: 'thinking', text: '', hiddenBytes });
  }

  #call({ id, name, input }: ToolCall): void {
    this.#calls.push({ id, name, input });
    this.#hide(Buffer.byteLength(id + name));
  }

  #finish(end: ModelEnd): void {
    const { thinking, text } = this.#tags.flush();
    if (thinking !== '') this.#think(thinking);
    if (text !== '') this.#read(text);
    if (this.#textCalls) this.#write(this.#textCalls.flush());
    if (this.#calls.length === 0) this.#calls.push(...this.#written);
    this.#take({ type: 'usage', inputTokens: countIn(end.inputTokens), outputTokens: countIn(end.outputTokens) });
    this.#judge(end);
    if (meaningOf(end.reason) === 'truncated') this.#take({ type: 'truncated' });
    this.#questions();
  }

  #text(text: string): void {
    this.#hasText ||= text.trim() !== '';
    this.#take({ type: 'text', text });
  }

  /** Throws if the answer is none. */
  #judge({ reason, unreadable = 0 }: ModelEnd): void {
    const { logger } = this.#options;
    if (unreadable > 0) logger?.warn({ unreadable }, 'frames of the model could not be read and were left out');
    const meaning = meaningOf(reason);
    if (meaning === 'filtered') throw generationFault('model_content_filtered', { cause: reason });
    if (meaning === 'failed') throw generationFault('model_failed', { cause: reason });
    if (meaning === 'malformed') throw unusable(`it finished with ${reason}`);
    if (meaning !== 'unknown') return;
    if (!this.#hasText && this.#calls.length === 0) throw generationFault('model_failed', { cause: reason });
    logger?.warn(
      { finishReason: reason?.slice(0, 100) },
      'the model finished for an unknown reason; its text is the answer',
    );
  }

  #questions(): void {
    const { request, logger } = this.#options;
    const isOffered = request.tools.length > 0;
    const asked = this.#calls.map((call) => ({ call, question: isOffered ? readQuestion(call) : null }));
    const unread = asked.find(({ question }) => question === null)?.call;
    if (unread && !this.#hasText && asked.every(({ question }) => question === null)) {
      throw unusable(`it called ${unread.name.slice(0, 100)}`);
    }
    if (unread)
      logger?.warn({ tool: unread.name.slice(0, 100) }, 'a call of the model could not be used and was left out');
    for (const [index, { call, question }] of asked.slice(0, maximumQuestions).entries()) {
      if (question) this.#ask(call, { ...question, index });
    }
  }

  #ask({ id }: ToolCall, { question, choices, index }: AskedQuestion & { index: number }): void {
    const toolUseId = (id || `question_${index + 1}`).slice(0, maximumCallId);
    if (choices.length < 2) this.#text([this.#hasText ? '\n\n' : '', question].join(''));
    else this.#take({ type: 'choice', toolUseId, question, choices });
  }
}

function unusable(what: string) {
  return generationFault('model_invalid_output', {
    cause: new UnusableCall(`the model's answer cannot be used: ${what}`),
  });
}

/** A provider may send any number; one that is not a count of tokens would corrupt sums and counters that never fall. */
function countIn(tokens: number | null): number | null {
  return tokens !== null && Number.isInteger(tokens) && tokens >= 0 && tokens < 2 ** 31 ? tokens : null;
}
