/**
 * What tokens cost: a list that the operator states, since providers change their prices and contracts differ. Costs are
 * computed when they are read, so a corrected list corrects the past too.
 */
export interface Price {
  /** For a million tokens that the model is given. */
  input: number;
  /** For a million tokens that it generates. */
  output: number;
}

/** By model, as `AI_MODEL` names it. */
export type Prices = ReadonlyMap<string, Price>;

export const noPrices: Prices = new Map();

/** Reads a list like `{"openai:gpt-5": {"input": 1.25, "output": 10}}`. Throws what is wrong with it. */
export function readPrices(json: string): Prices {
  const list: unknown = parse(json);
  if (!isRecord(list)) throw new Error(form);
  return new Map(Object.entries(list).map(([model, price]) => [model, readPrice(model, price)]));
}

/** What the tokens cost; null without a price for the model. */
export function costOf(
  prices: Prices,
  { model, inputTokens, outputTokens }: { model: string; inputTokens: number; outputTokens: number },
): number | null {
  const price = prices.get(model);
  return price ? (inputTokens * price.input + outputTokens * price.output) / 1_000_000 : null;
}

const form =
  'must be a JSON object such as {"openai:gpt-5": {"input": 1.25, "output": 10}}, prices for a million tokens';

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error(form);
  }
}

function readPrice(model: string, value: unknown): Price {
  const { input, output } = isRecord(value) ? value : {};
  if (isAmount(input) && isAmount(output)) return { input, output };
  throw new Error(`${form}; the price of ${model} is not`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
