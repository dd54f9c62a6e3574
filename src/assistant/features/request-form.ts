/**
 * What a request uses, and what it does without once a server has refused it. A model without tools or images must not cost
 * every response its answer, so the same request is made again in a simpler form.
 */
import { GenerationError } from '../../modules/responses/generation/processor.js';
import type { AttachedFile } from '../files/attached-files.js';
import { UnusableCall } from '../model-stream.js';
import { wordsIn } from '../provider-errors.js';
import { type ModelFeature, optionalFeatures } from './model-features.js';
import { isOfOne, mayBeRefusal, refusedFeature } from './refused-features.js';

export interface RequestForm {
  without: ReadonlySet<ModelFeature>;
  attached: ReadonlyMap<string, AttachedFile>;
}

/** A form to try next, with what the server has certainly refused, and with what is only a guess until it answers. */
export interface NextForm {
  form: RequestForm;
  refused: readonly ModelFeature[];
  guessed: readonly ModelFeature[];
}

export interface Refusal {
  error: unknown;
  /** What the request used. */
  inUse: readonly ModelFeature[];
  /** Whether it was the first request to the model. */
  isFirst: boolean;
  /** Calls that are left. */
  callsLeft: number;
}

/** Null if no simpler form can help. */
export function simplerForm(form: RequestForm, { error, inUse, isFirst, callsLeft }: Refusal): NextForm | null {
  if (!(error instanceof GenerationError) || callsLeft === 0) return null;
  if (error.cause instanceof UnusableCall) return inUse.includes('tools') ? doing(form, { without: ['tools'] }) : null;
  const fewer = withFewerImages(form.attached, error);
  if (fewer) return { form: { ...form, attached: fewer }, refused: [], guessed: [] };
  const refused = refusedFeature(error, inUse);
  if (refused && isOfOne(refused, error)) return doing(form, { without: [refused] });
  const optional = optionalFeatures.filter((feature) => inUse.includes(feature) && feature !== refused);
  // The last call is made with what every server knows.
  if (refused) return doing(form, { refused: [refused], guessed: callsLeft === 1 ? optional : [] });
  if (optional.length > 0 && mayBeRefusal(error, { isFirst })) return doing(form, { guessed: optional });
  // It may be about an image.
  const isRejected = error.code === 'model_rejected_request' && inUse.includes('images');
  return isRejected ? doing(form, { without: ['images'] }) : null;
}

/** With the newest images alone, where a server names how many it takes, as vLLM does. */
function withFewerImages(
  attached: RequestForm['attached'],
  { cause }: GenerationError,
): RequestForm['attached'] | null {
  const most = Number(/at most ([1-9]\d{0,3}) image/i.exec(wordsIn(cause))?.[1] ?? Number.POSITIVE_INFINITY);
  const images = [...attached.keys()].filter((id) => attached.get(id)?.mediaType.startsWith('image/'));
  const older = new Set(images.slice(0, -most));
  return older.size === 0 ? null : new Map([...attached].filter(([id]) => !older.has(id)));
}

interface Change {
  refused?: readonly ModelFeature[];
  guessed?: readonly ModelFeature[];
  /** Only this time. */
  without?: readonly ModelFeature[];
}

function doing({ attached, ...form }: RequestForm, { refused = [], guessed = [], without = [] }: Change): NextForm {
  const all = new Set([...form.without, ...refused, ...guessed, ...without]);
  return { form: { attached: withoutFiles(attached, all), without: all }, refused, guessed };
}

/** Without images, only the files remain whose text is part of the prompt. */
export function withoutFiles(
  attached: RequestForm['attached'],
  without: ReadonlySet<ModelFeature>,
): RequestForm['attached'] {
  return without.has('images') ? new Map([...attached].filter(([, file]) => !('read' in file))) : attached;
}

/** What there is to send, in whatever form. */
export interface RequestContent {
  hasTools: boolean;
  /** Whether the model has asked questions before. */
  hasQuestions: boolean;
  hasSystem: boolean;
}

/** What a request in this form uses, of what the model's requests can use. */
export function featuresInUse(
  form: RequestForm,
  { features, hasTools, hasQuestions, hasSystem }: RequestContent & { features: readonly ModelFeature[] },
): ModelFeature[] {
  const hasFiles = [...form.attached.values()].some((file) => 'read' in file);
  const calls = hasQuestions && !form.without.has('tools');
  const present = { tools: hasTools, calls, images: hasFiles, system: hasSystem, usage: true, developer: hasSystem };
  return features.filter((feature) => present[feature] && !form.without.has(feature));
}
