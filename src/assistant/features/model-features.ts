/**
 * What a request can do without, by name. Imports nothing, so that the configuration can check a name without loading a
 * provider.
 */
/**
 * `usage`: the counting of tokens in streams. `system`: a role of its own for instructions; `developer`: OpenAI's name for it. `calls`:
 * earlier questions as calls of the tool, which are text without it.
 */
export const modelFeatures = ['tools', 'calls', 'images', 'system', 'usage', 'developer'] as const;
export type ModelFeature = (typeof modelFeatures)[number];

/** Those that an answer is hardly worse without. */
export const optionalFeatures: readonly ModelFeature[] = ['tools', 'images', 'usage'];

/** Reads a list such as `tools,images`. Throws what is wrong with it. */
export function readFeatures(text: string): ModelFeature[] {
  const names = text.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '').map(readFeature);
}

function readFeature(name: string): ModelFeature {
  const feature = modelFeatures.find((known) => known === name);
  if (!feature) throw new Error(`"${name}" is not one of ${modelFeatures.join(', ')}`);
  return feature;
}
