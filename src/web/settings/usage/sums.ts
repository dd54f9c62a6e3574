/** Sums of usage, as the page shows them. */
import type { UsageSum } from '../../api/types.js';

export interface Row extends Amounts {
  key: string;
  /** How many tokens it has for each of those of the largest row, 0 to 1; responses, where no model reported tokens. */
  share: number;
}

export interface Amounts {
  responses: number;
  inputTokens: number;
  outputTokens: number;
  /** Null without a price. */
  cost: number | null;
  /** Whether every model among them has a price. */
  isCostComplete: boolean;
}

/** The rows of a table in the order of the service, each with its share of the largest. */
export function rowsOf(sums: readonly UsageSum[]): Row[] {
  const sizeOf = sums.some((sum) => tokensOf(sum) > 0) ? tokensOf : ({ responses }: Amounts) => responses;
  const largest = Math.max(1, ...sums.map(sizeOf));
  return sums.map(({ day, userId, model, ...amounts }) => {
    return { key: day ?? userId ?? model ?? '', share: sizeOf(amounts) / largest, ...amounts };
  });
}

export function totalOf(sums: readonly Amounts[]): Amounts {
  const priced = sums.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    responses: add(sums.map(({ responses }) => responses)),
    inputTokens: add(sums.map(({ inputTokens }) => inputTokens)),
    outputTokens: add(sums.map(({ outputTokens }) => outputTokens)),
    cost: priced.length > 0 ? add(priced) : null,
    isCostComplete: sums.every(({ isCostComplete }) => isCostComplete),
  };
}

function tokensOf({ inputTokens, outputTokens }: Pick<Amounts, 'inputTokens' | 'outputTokens'>): number {
  return inputTokens + outputTokens;
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
