import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Processor } from '../modules/responses/generation/processor.js';
import { FairSemaphore } from '../platform/fairness/fair-semaphore.js';
import { CompatibleModel } from './compatible/compatible-model.js';
import type { DemoSettings } from './demo/demo-processor.js';
import { DemoProcessor } from './demo/demo-processor.js';
import type { ModelFeature } from './features/model-features.js';
import type { ReadAttachments } from './files/attached-files.js';
import { OutgoingFiles } from './files/outgoing-files.js';
import type { LanguageModel } from './language-model.js';
import { LanguageModelProcessor, type OnFound } from './language-model-processor.js';
import { defaultAnswerLimits, limitedFetch } from './model-fetch.js';
import { allModels, type ConfiguredModels, connectedProvider, providerOf } from './model-list.js';
import type { ModelProvider } from './model-name.js';
import { parseModelName } from './model-name.js';
import { SdkModel } from './sdk-model.js';

/** How a provider is reached. */
export interface ModelConnection {
  /** Required for `compatible:`. For other providers it replaces their URL, for example with that of a proxy. */
  baseUrl?: string | undefined;
  /** When absent, the provider's usual variable is read, for example `OPENAI_API_KEY`. */
  apiKey?: string | undefined;
  /** What requests carry besides. */
  headers?: Readonly<Record<string, string>> | null | undefined;
}

export interface ProcessorSettings extends ModelConnection {
  /** The value of `AI_MODEL`. */
  model: string;
  systemPrompt: string;
  /** What requests do without, in addition to what a server refuses. */
  without?: readonly ModelFeature[] | undefined;
  /** Whether the templates of the models open the thinking, so that only its closing tag is in an answer. */
  opensThinking?: boolean | undefined;
  onFound?: OnFound | undefined;
  demo?: DemoSettings | undefined;
  /** Reads attachments. Without it, models are only told that there were some. */
  readAttachments?: ReadAttachments | undefined;
  /** Maximum bytes of attachments in transit to the provider; further responses wait. */
  attachmentBytes?: number | undefined;
  /** In its place, what several models share. */
  attachmentMemory?: FairSemaphore | undefined;
}

const defaultAttachmentBytes = 128 * 1024 * 1024;

interface Connection {
  fetch: typeof fetch;
  baseURL?: string;
  apiKey?: string;
  headers: Record<string, string>;
}

type Connect = (connection: Connection) => (name: string) => LanguageModelV3;

/** Each loads the library of its provider, so that no start loads the others. */
const providers: Record<Exclude<ModelProvider, 'compatible'>, () => Promise<Connect>> = {
  openai: async () => (await import('@ai-sdk/openai')).createOpenAI,
  anthropic: async () => (await import('@ai-sdk/anthropic')).createAnthropic,
  google: async () => (await import('@ai-sdk/google')).createGoogleGenerativeAI,
};

/** Creates the processor of the configured model. Sends nothing to the provider before the first generation. */
export async function createProcessor(settings: ProcessorSettings): Promise<Processor> {
  const { model, systemPrompt, readAttachments, without, opensThinking, onFound } = settings;
  const parsed = parseModelName(model);
  if (parsed.provider === 'demo') return new DemoProcessor(settings.demo);
  const files = new OutgoingFiles();
  const languageModel = await createModel(parsed, settings, files);
  const attachmentMemory = settings.attachmentMemory ?? inTurns(settings.attachmentBytes ?? defaultAttachmentBytes);
  const sending = { readAttachments, files, attachmentMemory };
  return new LanguageModelProcessor({
    model,
    languageModel,
    systemPrompt,
    ...sending,
    without,
    opensThinking,
    onFound,
  });
}

async function createModel(
  { provider, name }: { provider: ModelProvider; name: string },
  { baseUrl, apiKey, headers }: ModelConnection,
  files: OutgoingFiles,
): Promise<LanguageModel> {
  if (provider === 'compatible') {
    if (baseUrl === undefined) throw new Error(`The model "compatible:${name}" requires AI_BASE_URL.`);
    return new CompatibleModel({ name, baseUrl, apiKey, headers: headers ?? {}, files });
  }
  const connection = {
    headers: { ...headers },
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
  const connect = await providers[provider]();
  return new SdkModel((onBytes) =>
    connect({ ...connection, fetch: limitedFetch(files, defaultAnswerLimits, onBytes) })(name),
  );
}

/** The processors of several models, by name. They share the memory for attachments. */
export async function createProcessors(
  configured: ConfiguredModels,
  { baseUrl, apiKey, headers, ...settings }: Omit<ProcessorSettings, 'model'>,
): Promise<ReadonlyMap<string, Processor>> {
  const attachmentMemory = inTurns(settings.attachmentBytes ?? defaultAttachmentBytes);
  const connected = connectedProvider(configured);
  const create = async (model: string) => {
    const connection = providerOf(model) === connected ? { baseUrl, apiKey, headers } : {};
    return [model, await createProcessor({ ...settings, ...connection, model, attachmentMemory })] as const;
  };
  return new Map(await Promise.all(allModels(configured).map(create)));
}

/**
 * No shares per user: bytes are returned as soon as they are sent, and the number of running responses is limited
 * elsewhere.
 */
function inTurns(total: number): FairSemaphore {
  const perOrganization = Number.POSITIVE_INFINITY;
  return new FairSemaphore({ total, perOrganization, perUser: perOrganization, waitingPerUser: perOrganization });
}
