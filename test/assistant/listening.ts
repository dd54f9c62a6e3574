import { test } from 'vitest';
import { createProcessor } from '../../src/assistant/create-processor.js';
import type { ReadAttachments } from '../../src/assistant/files/attached-files.js';
import type { ContentBlock } from '../../src/modules/messages/content.js';
import {
  defaultGenerationLimits,
  type GenerationLimits,
  limitGeneration,
} from '../../src/modules/responses/generation/limits.js';
import type {
  ConversationMessage,
  GenerationError,
  GenerationEvent,
  Processor,
} from '../../src/modules/responses/generation/processor.js';
import { type ModelServer, startModelServer } from '../support/model/model-server.js';

interface Heard {
  events: GenerationEvent[];
  text: string;
  thinking: string;
  /** What the generation threw, or undefined. */
  error: GenerationError | undefined;
}

/** A processor that talks to the model server. */
export function processorAt(
  server: ModelServer,
  settings: { systemPrompt?: string; apiKey?: string; readAttachments?: ReadAttachments; opensThinking?: boolean } = {},
): Promise<Processor> {
  return createProcessor({ model: 'compatible:test-model', baseUrl: server.url, systemPrompt: '', ...settings });
}

/** A processor whose generations have limits, as the worker calls it. */
export async function limited(
  processor: Promise<Processor>,
  limits: GenerationLimits = defaultGenerationLimits,
): Promise<Processor> {
  const inner = await processor;
  return {
    model: inner.model,
    summarize: (options) => inner.summarize(options),
    name: (options) => inner.name(options),
    generate: (options, take) =>
      limitGeneration(
        (signal, takeLimited) => inner.generate({ ...options, signal }, takeLimited),
        { limits, signal: options.signal },
        take,
      ),
  };
}

/** Runs one generation to its end and keeps what came out of it, the error included. `events` fills while it runs. */
export async function listen(
  processor: Processor | Promise<Processor>,
  conversation: ConversationMessage[] | string,
  { signal = new AbortController().signal, events = [] }: { signal?: AbortSignal; events?: GenerationEvent[] } = {},
): Promise<Heard> {
  const messages = typeof conversation === 'string' ? [user(conversation)] : conversation;
  let error: unknown;
  try {
    await (await processor).generate({ conversation: messages, signal }, (event) => void events.push(event));
  } catch (caught) {
    error = caught;
  }
  const said = (type: 'text' | 'thinking') =>
    events.map((event) => (event.type === type ? (event as { text: string }).text : '')).join('');
  return { events, text: said('text'), thinking: said('thinking'), error: error as GenerationError | undefined };
}

/** Whether the event says something; the others are signs of life. */
export const isSpoken = (event: GenerationEvent): boolean => event.type !== 'thinking' || event.text !== '';

export const user = (text: string): ConversationMessage => ({ role: 'user', contents: [{ type: 'text', text }] });

export const assistant = (text: string, ...questions: ContentBlock[]): ConversationMessage => ({
  role: 'assistant',
  contents: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...questions],
});

export const summary = (text: string): ConversationMessage => ({ role: 'summary', contents: [{ type: 'text', text }] });

export const question = (toolUseId: string, words: string, ...choices: string[]): ContentBlock => ({
  type: 'user_get_choice',
  toolUseId,
  question: words,
  choices,
});

export const it = test.extend('server', async ({ onTestFinished }) => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  return server;
});
