/**
 * A processor for any model. It repeats a request only in a simpler form, for what the server does not know; errors are the
 * worker's to repeat, within the calls that a response may take.
 */
import type { LanguageModelV3Message } from '@ai-sdk/provider';
import {
  defaultGenerationLimits,
  type GenerationLimits,
  limitGeneration,
} from '../modules/responses/generation/limits.js';
import {
  type GenerateOptions,
  GenerationError,
  type GenerationEvent,
  type Processor,
  type TakeEvent,
} from '../modules/responses/generation/processor.js';
import type { FairSemaphore } from '../platform/fairness/fair-semaphore.js';
import { choiceTools } from './choice-tool.js';
import type { ModelFeature } from './features/model-features.js';
import { RefusedFeatures } from './features/refused-features.js';
import { featuresInUse, type RequestForm, simplerForm, withoutFiles } from './features/request-form.js';
import { type AttachedFiles, attachmentIds, type ReadAttachments } from './files/attached-files.js';
import { AttachmentSending } from './files/attachment-sending.js';
import type { OutgoingFiles } from './files/outgoing-files.js';
import { generationFault } from './generation-faults.js';
import type { LanguageModel } from './language-model.js';
import { streamModel } from './model-stream.js';
import { isChoice, type QuestionForm, toModelMessages } from './prompt.js';
import { nameInstruction, nameRequest, summaryInstruction, summaryRequest } from './summary-texts.js';

export interface LanguageModelSettings {
  /** The value of `AI_MODEL`. */
  model: string;
  languageModel: LanguageModel;
  systemPrompt: string;
  readAttachments?: ReadAttachments | undefined;
  /** The files that the HTTP client inserts into requests. */
  files: OutgoingFiles;
  /** Shared by all responses that send attachments at the same time. */
  attachmentMemory: FairSemaphore;
  /** What requests never use. */
  without?: readonly ModelFeature[] | undefined;
  /** Whether the model's template opens the thinking itself. */
  opensThinking?: boolean | undefined;
  onFound?: OnFound | undefined;
}

/** Told each feature that a model has refused, and what it took with each answer. */
export interface OnFound {
  refused: (model: string, feature: ModelFeature) => void;
  answered: (model: string, found: FoundFeatures) => void;
}

/** `null`: not tried. */
export type FoundFeatures = Record<'tools' | 'images' | 'usage', boolean | null>;

/** What is asked, whatever the form of the request. */
interface Asked {
  systemPrompt: string;
  hasTools: boolean;
  hasQuestions: boolean;
  attached: RequestForm['attached'];
  messages: (questions: QuestionForm, files: AttachedFiles) => LanguageModelV3Message[];
}

/** Thinking counts too, of which some models do much before a few words. */
const nameLimits: GenerationLimits = { ...defaultGenerationLimits, totalMs: 60_000, maxTextBytes: 64 * 1024 };

const nobody = async () => ({ organizationId: 0, userId: '' });

const nothingAttached: RequestForm['attached'] = new Map();

export class LanguageModelProcessor implements Processor {
  readonly model: string;
  readonly #settings: LanguageModelSettings;
  readonly #refused: RefusedFeatures;
  #requests = 0;

  constructor(settings: LanguageModelSettings) {
    this.model = settings.model;
    this.#settings = settings;
    this.#refused = new RefusedFeatures(settings.without);
  }

  async generate(options: GenerateOptions, take: TakeEvent): Promise<void> {
    const { conversation, instructions } = options;
    const prompts = [this.#settings.systemPrompt, instructions ?? ''];
    const asked: Asked = {
      systemPrompt: prompts.filter((prompt) => prompt.trim() !== '').join('\n\n'),
      hasTools: true,
      hasQuestions: conversation.some(({ contents }) => contents.some(isChoice)),
      attached: await this.#attachedTo(options),
      messages: (questions, files) => toModelMessages(conversation, questions, files),
    };
    let answered = false;
    await this.#answer(options, asked, (event) => {
      answered ||= isShown(event);
      take(event);
    });
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
    options: GenerateOptions,
    { systemPrompt, request, limits }: { systemPrompt: string; request: string; limits: GenerationLimits },
  ): Promise<string> {
    const messages = toModelMessages(options.conversation, 'text');
    messages.push({ role: 'user', content: [{ type: 'text', text: request }] });
    const asked = {
      systemPrompt,
      hasTools: false,
      hasQuestions: false,
      attached: nothingAttached,
      messages: () => messages,
    };
    const source = (signal: AbortSignal, take: TakeEvent) => this.#answer({ ...options, signal }, asked, take);
    let text = '';
    await limitGeneration(source, { limits, signal: options.signal }, (event) => {
      if (event.type === 'text') text += event.text;
      else if (event.type === 'usage') options.onUsage?.(event);
    });
    if (text.trim() === '') throw generationFault('model_empty_response');
    return text.trim();
  }

  async #answer(options: GenerateOptions, asked: Asked, take: TakeEvent): Promise<void> {
    const without = this.#refused.all;
    let form: RequestForm = { without, attached: withoutFiles(asked.attached, without) };
    const guessed: ModelFeature[] = [];
    for (let isBegun = false; ; ) {
      const sending = await this.#beginSending(options, form, take);
      const isFirst = this.#requests === 0;
      const inUse = this.#inUse(form, asked);
      try {
        await this.#call(options, asked, {
          form,
          files: sending.files,
          take: (event) => {
            sending.end();
            isBegun ||= isShown(event);
            take(event);
          },
        });
        this.#noteRefused(guessed, { isGuess: true });
        if (isBegun) this.#noteAnswer(inUse);
        return;
      } catch (error) {
        const callsLeft = options.calls?.left ?? Number.POSITIVE_INFINITY;
        const next = isBegun ? null : simplerForm(form, { error, inUse, isFirst, callsLeft });
        if (!next) throw error;
        this.#noteRefused(next.refused, { isGuess: false });
        guessed.push(...next.guessed);
        form = next.form;
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

  #beginSending({ signal, principal = nobody }: GenerateOptions, { attached }: RequestForm, take: TakeEvent) {
    const { files: outgoing, attachmentMemory: memory } = this.#settings;
    return AttachmentSending.begin({ attached, outgoing, memory, principal, signal }, take);
  }

  #inUse(form: RequestForm, { systemPrompt, ...content }: Asked): ModelFeature[] {
    const { features } = this.#settings.languageModel;
    return featuresInUse(form, { ...content, features, hasSystem: systemPrompt !== '' });
  }

  /** One call of the model, which counts unless nobody has received it. */
  async #call(
    { headers, onRequestId, calls, logger, signal }: GenerateOptions,
    asked: Asked,
    { form, files, take }: { form: RequestForm; files: AttachedFiles; take: TakeEvent },
  ): Promise<void> {
    const { languageModel, opensThinking = false } = this.#settings;
    const inUse = this.#inUse(form, asked);
    const tools = inUse.includes('tools') ? choiceTools : [];
    const messages = asked.messages(inUse.includes('calls') ? 'tool-calls' : 'text', files);
    const prompt = form.without.has('system')
      ? { systemPrompt: '', messages: withSystemText(messages, asked.systemPrompt) }
      : { systemPrompt: asked.systemPrompt, messages };
    const request = { ...prompt, tools, without: form.without, headers, onRequestId, signal };
    calls?.spend();
    this.#requests += 1;
    try {
      await streamModel({ model: languageModel, request, opensThinking, ...(logger ? { logger } : {}) }, take);
    } catch (error) {
      if (error instanceof GenerationError && !error.wasReceived) calls?.refund();
      throw error;
    }
  }

  #noteRefused(features: readonly ModelFeature[], { isGuess }: { isGuess: boolean }): void {
    this.#refused.add(features, { isGuess });
    for (const feature of features) this.#settings.onFound?.refused(this.model, feature);
  }

  #noteAnswer(inUse: readonly ModelFeature[]): void {
    const { all } = this.#refused;
    const found = (feature: ModelFeature) => (all.has(feature) ? false : inUse.includes(feature) ? true : null);
    const features = { tools: found('tools'), images: found('images'), usage: found('usage') };
    this.#settings.onFound?.answered(this.model, features);
  }
}

function isShown(event: GenerationEvent): boolean {
  return event.type === 'choice' || (event.type === 'text' && event.text.trim() !== '');
}

/** For models that know no system role: its text goes before the first message of the user. */
function withSystemText(messages: LanguageModelV3Message[], text: string): LanguageModelV3Message[] {
  if (text.trim() === '') return messages;
  const first = messages[0];
  const part = { type: 'text' as const, text };
  if (first?.role !== 'user') return [{ role: 'user', content: [part] }, ...messages];
  return [{ ...first, content: [part, ...first.content] }, ...messages.slice(1)];
}
