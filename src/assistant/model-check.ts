/**
 * Asks a model two real questions, with everything that requests may use: first a text, then a picture. What it refuses is found
 * out as in the service, so that an operator sees before the first user what it takes.
 */

import type { ContentBlock } from '../modules/messages/content.js';
import { defaultGenerationLimits, limitGeneration } from '../modules/responses/generation/limits.js';
import {
  type ConversationMessage,
  GenerationError,
  type Processor,
  type TakeEvent,
} from '../modules/responses/generation/processor.js';
import { createProcessor, type ProcessorSettings } from './create-processor.js';
import type { ModelFeature } from './features/model-features.js';
import type { AttachedFile } from './files/attached-files.js';
import type { FoundFeatures, OnFound } from './language-model-processor.js';

export interface ModelReport {
  /** What the model said to the text. */
  text: string;
  firstTokenMs: number;
  found: FoundFeatures;
  /** Further features that it refused. */
  refused: ModelFeature[];
}

export type CheckSettings = Omit<ProcessorSettings, 'onFound' | 'readAttachments'>;

const question = 'What is the capital of France? Answer in one word.';
const colour = 'Which colour is this? Answer in one word.';
const pictureId = 'att_check';

/** A white pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
);
const pictures: ReadonlyMap<string, AttachedFile> = new Map([
  [
    pictureId,
    {
      name: 'white.png',
      mediaType: 'image/png',
      size: png.length,
      read: async (start, length) => png.subarray(start, start + length),
    },
  ],
]);

/** Throws a GenerationError if the model does not answer the text. */
export async function checkModel(settings: CheckSettings, signal: AbortSignal): Promise<ModelReport> {
  const refused: ModelFeature[] = [];
  let found: FoundFeatures = { tools: null, images: null, usage: null };
  const onFound: OnFound = {
    refused: (_model, feature) => void refused.push(feature),
    answered: (_model, features) => {
      found = features;
    },
  };
  const processor = await createProcessor({ ...settings, onFound, readAttachments: async () => pictures });
  const heard = await listen(processor, [{ type: 'text', text: question }], signal);
  const { tools } = found;
  await listen(
    processor,
    [
      { type: 'text', text: colour },
      { type: 'image', attachmentId: pictureId },
    ],
    signal,
  ).catch(notSeen);
  const { firstTokenMs, text, hasUsage } = heard;
  return { text, firstTokenMs, found: { tools, images: found.images === true, usage: hasUsage }, refused };

  function notSeen(error: unknown): void {
    signal.throwIfAborted();
    if (!(error instanceof GenerationError)) throw error;
    found = { ...found, images: false };
  }
}

async function listen(processor: Processor, contents: ContentBlock[], signal: AbortSignal) {
  const conversation: ConversationMessage[] = [{ role: 'user', contents }];
  const startedMs = performance.now();
  const heard = { text: '', firstTokenMs: 0, hasUsage: false };
  const source = (inner: AbortSignal, take: TakeEvent) => processor.generate({ conversation, signal: inner }, take);
  await limitGeneration(source, { limits: defaultGenerationLimits, signal }, (event) => {
    if (heard.firstTokenMs === 0) heard.firstTokenMs = performance.now() - startedMs;
    if (event.type === 'text') heard.text += event.text;
    else if (event.type === 'choice') heard.text += event.question;
    else if (event.type === 'usage') heard.hasUsage = event.outputTokens !== null;
  });
  return heard;
}
