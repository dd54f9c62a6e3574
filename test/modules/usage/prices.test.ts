import { expect, it } from 'vitest';
import { costOf, readPrices } from '../../../src/modules/usage/prices.js';

it('costs what the list says for a million tokens, and nothing is known of a model that is not in it', () => {
  const prices = readPrices('{"gpt-5": {"input": 1.25, "output": 10}, "local": {"input": 0, "output": 0}}');
  const tokens = { inputTokens: 2_000_000, outputTokens: 100_000 };
  expect(costOf(prices, { model: 'gpt-5', ...tokens })).toBe(3.5);
  expect(costOf(prices, { model: 'local', ...tokens })).toBe(0);
  expect(costOf(prices, { model: 'gpt-6', ...tokens })).toBeNull();
});

it.each(['gpt-5', '[]', 'null', '{"gpt-5": 1}', '{"gpt-5": {"input": 1}}', '{"gpt-5": {"input": -1, "output": 1}}'])(
  'refuses %s, and shows what a list looks like',
  (json) => {
    expect(() => readPrices(json)).toThrow(
      /^must be a JSON object such as \{"openai:gpt-5": \{"input": 1\.25, "output": 10\}\}/,
    );
  },
);
