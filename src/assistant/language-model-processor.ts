import type { LanguageModelV3 } from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import type { FairSemaphore } from '../fairness/fair-semaphore.js';
import {
  defaultGenerationLimits,
  type GenerationLimits,
  limitGeneration,
} from '../modules/responses/generation/limits.js';
import type { GenerateOptions, GenerationEvent, Processor } from '../modules/responses/generation/processor.js';
import { GenerationError } from '../modules/responses/generation/processor.js';
import { choiceTools } from './choice-tool.js';
import { type AttachedFile, type AttachedFiles, attachmentIds, type ReadAttachments } from './files/attached-files.js';
import { AttachmentSending } from './files/attachment-sending.js';
import type { OutgoingFiles } from './files/outgoing-files.js';
import { generationFault } from './generation-faults.js';
import { streamModel } from './model-stream.js';
import type { QuestionForm } from './prompt.js';
import { toModelMessages } from './prompt.js';
import { nameInstruction, nameRequest, summaryInstruction, summaryRequest } from './summary-texts.js';

export interface LanguageModelSettings {
  /** The value of `AI_MODEL`. */
  model: string;
  languageModel: LanguageModelV3;
  systemPrompt: string;
  readAttachments?: ReadAttachments | undefined;
  /** The files that the HTTP client inserts into requests. */
  files: OutgoingFiles;
  /** Shared by all responses that send attachments at the same time. */
  attachmentMemory: FairSemaphore;
}

/** The features that a request still uses after a model has rejected it. */
interface RequestForm {
  questions: QuestionForm;
  attached: ReadonlyMap<string, AttachedFile>;
}

/** Thinking counts too, of which some models do much before a few words. */
const nameLimits: GenerationLimits = { ...defaultGenerationLimits, totalMs: 60_000, maxTextBytes: 64 * 1024 };

const nobody = async () => ({ organizationId: 0, userId: '' });

const nothingAttached: RequestForm['attached'] = new Map();

/** A processor for any model of the AI SDK. It never retries errors; the worker does, within its limits. */
export class LanguageModelProcessor implements Processor {
  readonly model: string;
  readonly #settings: LanguageModelSettings;

  constructor(settings: LanguageModelSettings) {
    this.model = settings.model;
    this.#settings = settings;
  }

  async *generate(options: GenerateOptions): AsyncGenerator<GenerationEvent> {
    let answered = false;
    for await (const event of this.#answer(options)) {
      answered ||= event.type === 'choice' || (event.type === 'text' && event.text.trim() !== '');
      yield event;
    }
    if (!answered) throw generationFault('model_empty_response');
  }

  /** Uses the default limits of a generation, so that a silent model cannot block a thread. */
  summarize(options: GenerateOptions): Promise<string> {
    return this.#ask(options, {
      systemPrompt: summaryInstruction,
      request: summaryRequest,
      limits: defaultGenerationLimits,
    });
  }

  name(options: GenerateOptions): Promise<string> {
    return this.#ask(options, { systemPrompt: nameInstruction, request: nameRequest, limits: nameLimits });
  }

  /** The text that the model answers about the conversation. */
  async #ask(
    { conversation, headers, onUsage, signal }: GenerateOptions,
    { systemPrompt, request: asked, limits }: { systemPrompt: string; request: string; limits: GenerationLimits },
  ): Promise<string> {
    const messages = toModelMessages(conversation, 'text');
    messages.push({ role: 'user', content: [{ type: 'text', text: asked }] });
    const request = {
      languageModel: this.#settings.languageModel,
      systemPrompt,
      messages,
      tools: [],
      headers,
    };
    const source = (inner: AbortSignal) => streamModel({ ...request, signal: inner });
    let text = '';
    for await (const event of limitGeneration(source, limits, signal)) {
      if (event.type === 'text') text += event.text;
      else if (event.type === 'usage') onUsage?.(event);
    }
    if (text.trim() === '') throw generationFault('model_empty_response');
    return text.trim();
  }

  /**
   * Models without support for tools or images reject every request that contains them. They get the request again
   * without: questions become plain text, attachments a note.
   */
  async *#answer(options: GenerateOptions): AsyncGenerator<GenerationEvent> {
    let form: RequestForm = { questions: 'tool-calls', attached: await this.#attachedTo(options) };
    for (let begun = false; !begun; ) {
      const sending = yield* this.#beginSending(options, form);
      try {
        for await (const event of this.#stream(options, { questions: form.questions, files: sending.files })) {
          if (!begun) sending.end();
          begun = true;
          yield event;
        }
        return;
      } catch (error) {
        const simpler = begun ? null : simplerForm(form, error);
        if (!simpler) throw error;
        form = simpler;
      } finally {
        sending.end();
      }
    }
  }

  async #attachedTo({ conversation }: GenerateOptions): Promise<RequestForm['attached']> {
    const ids = attachmentIds(conversation);
    const { readAttachments } = this.#settings;
    if (ids.length === 0 || !readAttachments) return nothingAttached;
    try {
      return await readAttachments(ids);
    } catch (cause) {
      throw generationFault('model_failed', { cause });
    }
  }

  #beginSending({ signal, party = nobody }: GenerateOptions, { attached }: RequestForm) {
    const { files: outgoing, attachmentMemory: memory } = this.#settings;
    return AttachmentSending.begin({ attached, outgoing, memory, party, signal });
  }

  #stream(
    { conversation, instructions, headers, onRequestId, signal }: GenerateOptions,
    { questions, files }: { questions: QuestionForm; files: AttachedFiles },
  ): AsyncGenerator<GenerationEvent> {
    const { languageModel, systemPrompt } = this.#settings;
    return streamModel({
      languageModel,
      systemPrompt: [systemPrompt, instructions ?? ''].filter((prompt) => prompt.trim() !== '').join('\n\n'),
      messages: toModelMessages(conversation, questions, files),
      tools: questions === 'tool-calls' ? choiceTools : [],
      headers,
      onRequestId,
      signal,
    });
  }
}

/** The next simpler form to try after a rejection; null if there is none. */
function simplerForm({ questions, attached }: RequestForm, error: unknown): RequestForm | null {
  if (questions === 'tool-calls' && isToolRefusal(error)) return { questions: 'text', attached };
  return attached.size > 0 && isRefusal(error) ? { questions, attached: nothingAttached } : null;
}

function isRefusal(error: unknown): error is GenerationError {
  return error instanceof GenerationError && error.code === 'model_rejected_request';
}

function isToolRefusal(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { cause } = error;
  return APICallError.isInstance(cause) && /tool/i.test(`${cause.message} ${cause.responseBody ?? ''}`);
}
