import { describe, expect, it } from 'vitest';
import { createProcessor } from '../../src/assistant/create-processor.js';
import { parseModelName } from '../../src/assistant/model-name.js';

describe('a model name', () => {
  it.each([
    ['demo', { provider: 'demo' }],
    ['openai:gpt-5', { provider: 'openai', name: 'gpt-5' }],
    ['anthropic:claude', { provider: 'anthropic', name: 'claude' }],
    ['google:gemini', { provider: 'google', name: 'gemini' }],
    ['compatible:llama3.2:3b', { provider: 'compatible', name: 'llama3.2:3b' }],
    ['compatible:org/model', { provider: 'compatible', name: 'org/model' }],
  ])('%s is understood', (text, expected) => {
    expect(parseModelName(text)).toEqual(expected);
  });

  it.each([
    '',
    'gpt-5',
    'openai',
    'openai:',
    'openai: ',
    'openai: gpt',
    'Demo',
    'demo:x',
    'mistral:x',
    ':x',
    'toString:x',
  ])('"%s" is refused with the list of forms', (text) => {
    expect(() => parseModelName(text)).toThrow(
      `"${text}" is not a valid model name. Valid forms: demo, compatible:NAME, openai:NAME, anthropic:NAME, google:NAME.`,
    );
  });
});

describe('a processor', () => {
  it.each(['demo', 'openai:gpt-5', 'anthropic:claude', 'google:gemini'])(
    'for %s carries the configured name',
    async (model) => {
      expect((await createProcessor({ model, systemPrompt: '' })).model).toBe(model);
    },
  );

  it('for a compatible server needs its address', async () => {
    const settings = { model: 'compatible:tiny', systemPrompt: '' };
    await expect(createProcessor(settings)).rejects.toThrow('The model "compatible:tiny" requires AI_BASE_URL.');
    expect((await createProcessor({ ...settings, baseUrl: 'http://127.0.0.1:1/v1' })).model).toBe('compatible:tiny');
  });
});
