/**
 * The models of `AI_MODEL` and `AI_MODELS`. Two providers cannot share a base address and a key, so `AI_BASE_URL` and `AI_API_KEY`
 * belong to one of them; every other provider is reached at its own address with the key of its own variable.
 */
import { maximumModels } from '../contract.js';
import type { ModelChoice } from '../modules/models/model-choice.js';
import { parseModelName } from './model-name.js';

type Listed = Omit<ModelChoice, 'isDefault'>;

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

/** The provider of `AI_BASE_URL` and `AI_API_KEY`: `compatible` if a model has it, which nothing else can reach; otherwise the default model's. */
export function connectedProvider(models: readonly ModelChoice[]): string | undefined {
  const providers = models.map(({ id }) => providerOf(id));
  return providers.includes('compatible') ? 'compatible' : providers[models.findIndex(({ isDefault }) => isDefault)];
}

export function providerOf(id: string): string | undefined {
  return id.split(':', 1)[0];
}
