/**
 * What a server has refused. It is left out of every request for an hour, so that each answer costs one call and not two; what
 * was only guessed is tried again earlier.
 */
import type { GenerationError } from '../../modules/responses/generation/processor.js';
import { statusIn, wordsIn } from '../provider-errors.js';
import { type ModelFeature, modelFeatures } from './model-features.js';

const learnedMs = 3_600_000;
const guessedMs = 600_000;

/** The features that one model of one server has refused. */
export class RefusedFeatures {
  readonly #set: ReadonlySet<ModelFeature>;
  readonly #until = new Map<ModelFeature, number>();

  /** `configured` are left out for good. */
  constructor(configured: readonly ModelFeature[] = []) {
    this.#set = new Set(configured);
  }

  get all(): ReadonlySet<ModelFeature> {
    const now = performance.now();
    return new Set(modelFeatures.filter((feature) => this.#set.has(feature) || (this.#until.get(feature) ?? 0) > now));
  }

  add(features: readonly ModelFeature[], { isGuess }: { isGuess: boolean }): void {
    const until = performance.now() + (isGuess ? guessedMs : learnedMs);
    for (const feature of features) this.#until.set(feature, until);
  }
}

/** The order matters: "tools are not supported with images" is about the first word that fits. */
const refusals: [ModelFeature, RegExp][] = [
  ['usage', /stream_options|include_usage/i],
  // Gemini and DeepSeek want thoughts back with each call, which are not kept. As text, the answers to questions are messages of the
  // user, and no message is without content.
  [
    'calls',
    /thought_?signature|reasoning_content|roles? must alternate|unexpected role|content\b[^.]{0,60}\b(string|null|nil|none)\b/i,
  ],
  ['tools', /\btool|function[\s_-]?call|\bfunctions?\b[^.]{0,40}not (supported|enabled|allowed)|--jinja/i],
  [
    'images',
    /image|vision|multi-?modal|mmproj|pixel_values|content[^.]{0,40}(must|should) be a (valid )?string|only .?text.? content/i,
  ],
  // Gemini's endpoint says "Developer instruction is not enabled" of the system role of some models.
  [
    'system',
    /(system|developer) instruction|system[\s_-]*(role|prompt|message)|role[^.]{0,30}\bsystem\b|roles? must alternate/i,
  ],
  ['developer', /\bdeveloper\b/i],
];

/** What is said of one image that is broken, too large or of an unknown format, and of one call that the model wrote badly. */
const faultsOfOne: Partial<Record<ModelFeature, readonly RegExp[]>> = {
  images: [
    /(invalid|unsupported|corrupt\w*|broken) image|image (format|type|size|data|file|url|dimension)|unknown format/i,
    /(process|load|read|open|pars|decod|identif|download|fetch)\w* (the )?(input )?image|media[\s_]?type|mime/i,
    /image[^.]{0,80}(exceed|too (large|big|small|many)|decod|dimension|corrupt)/i,
  ],
  tools: [
    /tool_use_failed|failed_generation|failed to (call a function|parse (input|tool call))/i,
    /(parsing|invalid|malformed) (tool|function)[\s_-]?call|(tool|function)[\s_-]?call (validation|parsing|generation)/i,
  ],
};

const refusalCodes = new Set(['model_rejected_request', 'model_unavailable', 'model_failed']);

/** The feature among those in use that the server names in its refusal; null if it names none, or if the error is another one. */
export function refusedFeature(error: GenerationError, inUse: readonly ModelFeature[]): ModelFeature | null {
  if (!refusalCodes.has(error.code)) return null;
  const words = wordsIn(error.cause);
  return refusals.find(([feature, pattern]) => inUse.includes(feature) && pattern.test(words))?.[0] ?? null;
}

/** Whether the server refuses this image or this call, which says nothing of the next one. */
export function isOfOne(feature: ModelFeature, error: GenerationError): boolean {
  const words = wordsIn(error.cause);
  return faultsOfOne[feature]?.some((pattern) => pattern.test(words)) ?? false;
}

/** Whether the error may be the answer to a feature that the server does not know and does not name. */
export function mayBeRefusal(error: GenerationError, { isFirst }: { isFirst: boolean }): boolean {
  const status = statusIn(error.cause);
  return status === 501 || (status === 500 && isFirst && error.code === 'model_unavailable');
}
