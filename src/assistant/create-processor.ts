import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { FairSemaphore } from '../fairness/fair-semaphore.js';
import type { Processor } from '../modules/responses/generation/processor.js';
import type { ReadAttachments } from './attached-files.js';
import type { DemoSettings } from './demo-processor.js';
import { DemoProcessor } from './demo-processor.js';
import { LanguageModelProcessor } from './language-model-processor.js';
import { limitedFetch } from './model-fetch.js';
import type { ModelProvider } from './model-name.js';
import { parseModelName } from './model-name.js';
import { OutgoingFiles } from './outgoing-files.js';

export interface ProcessorSettings {
  /** As `AI_MODEL` has it. */
  model: string;
  /** Needed for `compatible:`. For the others it replaces the provider's address, for example by that of a proxy. */
  baseUrl?: string | undefined;
  /** When absent, the provider's usual variable is read, for example `OPENAI_API_KEY`. */
  apiKey?: string | undefined;
  systemPrompt: string;
  demo?: DemoSettings | undefined;
  /** Where the contents of attachments are to be had; without it, models are told only that there were some. */
  readAttachments?: ReadAttachments | undefined;
  /** Bytes of attachments that are on their way to the provider at the same time; further responses wait. */
  attachmentBytes?: number | undefined;
}

const defaultAttachmentBytes = 128 * 1024 * 1024;

interface Connection {
  fetch: typeof fetch;
  baseURL?: string;
  apiKey?: string;
}

type ModelFactory = (name: string, connection: Connection) => LanguageModelV3;

const factories: Record<ModelProvider, ModelFactory> = {
  openai: (name, connection) => createOpenAI(connection)(name),
  anthropic: (name, connection) => createAnthropic(connection)(name),
  google: (name, connection) => createGoogleGenerativeAI(connection)(name),
  compatible: (name, { baseURL, ...rest }) => {
    if (baseURL === undefined) throw new Error(`The model "compatible:${name}" requires AI_BASE_URL.`);
    return createOpenAICompatible({ name: 'compatible', includeUsage: true, baseURL, ...rest })(name);
  },
};

/** Makes the processor of a configured model. Nothing is sent to the provider before the first generation. */
export function createProcessor(settings: ProcessorSettings): Processor {
  const { model, baseUrl, apiKey, systemPrompt, readAttachments } = settings;
  const parsed = parseModelName(model);
  if (parsed.provider === 'demo') return new DemoProcessor(settings.demo);
  const files = new OutgoingFiles();
  const connection = {
    fetch: limitedFetch(files),
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
  const languageModel = factories[parsed.provider](parsed.name, connection);
  const attachmentMemory = inTurns(settings.attachmentBytes ?? defaultAttachmentBytes);
  return new LanguageModelProcessor({ model, languageModel, systemPrompt, readAttachments, files, attachmentMemory });
}

/** Without shares: what is held is given back as soon as it was sent, and running responses have a number of their own. */
function inTurns(total: number): FairSemaphore {
  const perOrganization = Number.POSITIVE_INFINITY;
  return new FairSemaphore({ total, perOrganization, perUser: perOrganization, waitingPerUser: perOrganization });
}
