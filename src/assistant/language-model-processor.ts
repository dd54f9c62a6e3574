import type { LanguageModelV3 } from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import { defaultGenerationLimits, limitGeneration } from '../modules/responses/generation-limits.js';
import type { GenerateOptions, GenerationEvent, Processor } from '../modules/responses/processor.js';
import { GenerationError } from '../modules/responses/processor.js';
import { type AttachedFiles, attachmentIds, noFiles, type ReadAttachments } from './attached-files.js';
import { choiceTools } from './choice-tool.js';
import { generationFault } from './generation-faults.js';
import { streamModel } from './model-stream.js';
import type { QuestionForm } from './prompt.js';
import { toModelMessages } from './prompt.js';
import { summaryInstruction, summaryRequest } from './summary-texts.js';

export interface LanguageModelSettings {
  /** As `AI_MODEL` has it. */
  model: string;
  languageModel: LanguageModelV3;
  systemPrompt: string;
  readAttachments?: ReadAttachments | undefined;
}

/** What is left out of a request after a model has refused it. */
interface RequestForm {
  questions: QuestionForm;
  files: AttachedFiles;
}

/** A processor over any model of the AI SDK. It never retries a fault: the worker does, within its own limits. */
export class LanguageModelProcessor implements Processor {
  readonly model: string;
  readonly #languageModel: LanguageModelV3;
  readonly #systemPrompt: string;
  readonly #readAttachments: ReadAttachments | undefined;

  constructor({ model, languageModel, systemPrompt, readAttachments }: LanguageModelSettings) {
    this.model = model;
    this.#languageModel = languageModel;
    this.#systemPrompt = systemPrompt;
    this.#readAttachments = readAttachments;
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
    messages.push({ role: 'user', content: [{ type: 'text', text: summaryRequest }] });
    const request = { languageModel: this.#languageModel, systemPrompt: summaryInstruction, messages, tools: [] };
    const source = (inner: AbortSignal) => streamModel({ ...request, signal: inner });
    let text = '';
    for await (const event of limitGeneration(source, defaultGenerationLimits, signal)) {
      if (event.type === 'text') text += event.text;
    }
    if (text.trim() === '') throw generationFault('model_empty_response');
    return text.trim();
  }

  /**
   * Models and servers that know no tools refuse every request that offers one, and those that read no images every request
   * with one. They get the request again without: questions are then plain text, attachments a note.
   */
  async *#answer(options: GenerateOptions): AsyncGenerator<GenerationEvent> {
    let form: RequestForm = { questions: 'tool-calls', files: await this.#filesOf(options) };
    for (let begun = false; !begun; ) {
      try {
        for await (const event of this.#stream(options, form)) {
          begun = true;
          yield event;
        }
        return;
      } catch (error) {
        const simpler = begun ? null : simplerForm(form, error);
        if (!simpler) throw error;
        form = simpler;
      }
    }
  }

  async #filesOf({ conversation }: GenerateOptions): Promise<AttachedFiles> {
    const ids = attachmentIds(conversation);
    if (ids.length === 0 || !this.#readAttachments) return noFiles;
    try {
      return await this.#readAttachments(ids);
    } catch (cause) {
      throw generationFault('model_failed', { cause });
    }
  }

  #stream({ conversation, signal }: GenerateOptions, form: RequestForm): AsyncGenerator<GenerationEvent> {
    return streamModel({
      languageModel: this.#languageModel,
      systemPrompt: this.#systemPrompt,
      messages: toModelMessages(conversation, form.questions, form.files),
      tools: form.questions === 'tool-calls' ? choiceTools : [],
      signal,
    });
  }
}

/** The form to try after a refusal; null where nothing is left to leave out. */
function simplerForm({ questions, files }: RequestForm, error: unknown): RequestForm | null {
  if (questions === 'tool-calls' && isToolRefusal(error)) return { questions: 'text', files };
  return files.size > 0 && isRefusal(error) ? { questions, files: noFiles } : null;
}

function isRefusal(error: unknown): error is GenerationError {
  return error instanceof GenerationError && error.code === 'model_rejected_request';
}

function isToolRefusal(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { cause } = error;
  return APICallError.isInstance(cause) && /tool/i.test(`${cause.message} ${cause.responseBody ?? ''}`);
}
