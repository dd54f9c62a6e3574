import type { LanguageModel } from 'ai';
import { APICallError } from 'ai';
import { defaultGenerationLimits, limitGeneration } from '../modules/responses/generation-limits.js';
import type { GenerateOptions, GenerationEvent, Processor } from '../modules/responses/processor.js';
import { GenerationError } from '../modules/responses/processor.js';
import { choiceTools } from './choice-tool.js';
import { generationFault } from './generation-faults.js';
import { streamModel } from './model-stream.js';
import type { QuestionForm } from './prompt.js';
import { toModelMessages } from './prompt.js';
import { summaryInstruction, summaryRequest } from './summary-texts.js';

export interface LanguageModelSettings {
  /** As `AI_MODEL` has it. */
  model: string;
  languageModel: LanguageModel;
  systemPrompt: string;
}

/** A processor over any model of the AI SDK. It never retries a fault: the worker does, within its own limits. */
export class LanguageModelProcessor implements Processor {
  readonly model: string;
  readonly #languageModel: LanguageModel;
  readonly #systemPrompt: string;

  constructor({ model, languageModel, systemPrompt }: LanguageModelSettings) {
    this.model = model;
    this.#languageModel = languageModel;
    this.#systemPrompt = systemPrompt;
    // The SDK prints its warnings to the console unless this is set.
    globalThis.AI_SDK_LOG_WARNINGS = false;
  }

  async *generate(options: GenerateOptions): AsyncGenerator<GenerationEvent> {
    let answered = false;
    for await (const event of this.#answer(options)) {
      answered ||= event.type === 'choice' || (event.type === 'text' && event.text.trim() !== '');
      yield event;
    }
    if (!answered) throw generationFault('model_empty_response');
  }

  /** Within the default limits of a generation, so that a silent model cannot hold a thread for ever. */
  async summarize({ conversation, signal }: GenerateOptions): Promise<string> {
    const messages = toModelMessages(conversation, 'text');
    messages.push({ role: 'user', content: summaryRequest });
    const request = { languageModel: this.#languageModel, systemPrompt: summaryInstruction, messages, tools: {} };
    const source = (inner: AbortSignal) => streamModel({ ...request, signal: inner });
    let text = '';
    for await (const event of limitGeneration(source, defaultGenerationLimits, signal)) {
      if (event.type === 'text') text += event.text;
    }
    if (text.trim() === '') throw generationFault('model_empty_response');
    return text.trim();
  }

  /**
   * Models and servers that know no tools refuse every request that offers one. They get the request again without:
   * their questions are then plain text.
   */
  async *#answer(options: GenerateOptions): AsyncGenerator<GenerationEvent> {
    let begun = false;
    try {
      for await (const event of this.#stream(options, 'tool-calls')) {
        begun = true;
        yield event;
      }
    } catch (error) {
      if (begun || !isToolRefusal(error)) throw error;
      yield* this.#stream(options, 'text');
    }
  }

  #stream({ conversation, signal }: GenerateOptions, questions: QuestionForm): AsyncGenerator<GenerationEvent> {
    return streamModel({
      languageModel: this.#languageModel,
      systemPrompt: this.#systemPrompt,
      messages: toModelMessages(conversation, questions),
      tools: questions === 'tool-calls' ? choiceTools : {},
      signal,
    });
  }
}

function isToolRefusal(error: unknown): boolean {
  if (!(error instanceof GenerationError) || error.code !== 'model_rejected_request') return false;
  const { cause } = error;
  return APICallError.isInstance(cause) && /tool/i.test(`${cause.message} ${cause.responseBody ?? ''}`);
}
