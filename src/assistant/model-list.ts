/**
 * The models of `AI_MODEL`, which answer in each other's place, and of `AI_MODELS`, of which people choose. Two providers cannot
 * share a base address and a key, so `AI_BASE_URL` and `AI_API_KEY` belong to one of them; every other provider is reached at its
 * own address with the key of its own variable.
 */
import { maximumModels } from '../contract.js';
import type { ModelChoice } from '../modules/models/model-choice.js';
import { parseModelName } from './model-name.js';

type Listed = Omit<ModelChoice, 'isDefault'>;

/** The models of a configuration. */
export interface ConfiguredModels {
  /** The default one. */
  model: string;
  /** Those that answer when it does not, in the order of preference. */
  fallbackModels: readonly string[];
  /** Those to choose from, with the default one. */
  models: readonly ModelChoice[];
}

/** All that may be called, each once. */
export function allModels({ models, fallbackModels }: Omit<ConfiguredModels, 'model'>): string[] {
  return [...new Set([...models.map(({ id }) => id), ...fallbackModels])];
}

/** Beyond a few, people would wait longer for the last model than for a retry. */
const mostInPlace = 5;

/** Reads the models of `AI_MODEL`, separated by commas. Throws what is wrong with them. */
export function readModelNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new Error('has a comma without a name on both sides; remove it');
  for (const name of names) parseModelName(name);
  if (names.length > mostInPlace) throw new Error(`must name at most ${mostInPlace} models`);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`names "${twice}" twice`);
  return names;
}

const longestLabel = 100;

/** Reads a list such as `openai:gpt-5=GPT-5, anthropic:claude-sonnet-4-5`. Throws what is wrong with it. */
export function readModelList(text: string): Listed[] {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  const models = entries.map(readEntry);
  if (models.length > maximumModels) throw new Error(`must name at most ${maximumModels} models`);
  const twice = models.find(({ id }, index) => models.findIndex((other) => other.id === id) < index);
  if (twice) throw new Error(`names "${twice.id}" twice`);
  return models;
}

function readEntry(entry: string): Listed {
  const [name = '', ...rest] = entry.split('=');
  const id = name.trim();
  const usual = labelOf(id);
  const label = rest.join('=').trim();
  if (label.length > longestLabel) throw new Error(`the label of "${id}" is longer than ${longestLabel} characters`);
  return { id, label: label || usual };
}

function labelOf(id: string): string {
  const parsed = parseModelName(id);
  return parsed.provider === 'demo' ? 'Demo' : parsed.name;
}

/** The models to choose from: those that are listed, after the default one unless that is among them. */
export function modelChoices(listed: readonly Listed[], defaultModel: string): ModelChoice[] {
  const isListed = listed.some(({ id }) => id === defaultModel);
  const all = isListed ? listed : [{ id: defaultModel, label: labelOf(defaultModel) }, ...listed];
  return all.map((model) => ({ ...model, isDefault: model.id === defaultModel }));
}

/**
 * The provider of `AI_BASE_URL` and `AI_API_KEY`: `compatible` if a model has it, which nothing else can reach;
 * otherwise the default model's.
 */
export function connectedProvider(configured: ConfiguredModels): string | undefined {
  const isCompatible = allModels(configured).some((id) => providerOf(id) === 'compatible');
  return isCompatible ? 'compatible' : providerOf(configured.model);
}

export function providerOf(id: string): string | undefined {
  return id.split(':', 1)[0];
}
