/**
 * Valid values of `AI_MODEL`. Imports nothing, so that the configuration can check a name without loading a provider.
 */
export const modelProviders = ['compatible', 'openai', 'anthropic', 'google'] as const;
export type ModelProvider = (typeof modelProviders)[number];

export type ModelName = { provider: 'demo' } | { provider: ModelProvider; name: string };

const forms = ['demo', ...modelProviders.map((provider) => `${provider}:NAME`)].join(', ');

/**
 * Parses a value of `AI_MODEL`. NAME is the provider's name of the model and may itself contain colons. Throws an Error
 * that lists the valid forms.
 */
export function parseModelName(text: string): ModelName {
  if (text === 'demo') return { provider: 'demo' };
  const [prefix, ...rest] = text.split(':');
  const provider = modelProviders.find((known) => known === prefix);
  const name = rest.join(':');
  if (provider === undefined || name.trim() === '' || name !== name.trim()) {
    throw new Error(`"${text}" is not a valid model name. Valid forms: ${forms}.`);
  }
  return { provider, name };
}
