/** The bars in the tables of usage. */
import { expect, it } from 'vitest';
import { rowsOf } from '../../src/web/settings/usage/sums.js';

it('measures a row of usage by its tokens, or by its responses where no model reported any', () => {
  const row = (responses: number, inputTokens: number) => {
    return {
      day: null,
      userId: null,
      model: `m${responses}`,
      responses,
      inputTokens,
      outputTokens: 0,
      cost: null,
      member: null,
      isCostComplete: false,
    };
  };
  const shares = (...rows: ReturnType<typeof row>[]) => rowsOf(rows).map(({ share }) => share);
  expect(shares(row(4, 100), row(8, 25))).toEqual([1, 0.25]);
  expect(shares(row(4, 0), row(8, 0))).toEqual([0.5, 1]);
  expect(shares(row(0, 0))).toEqual([0]);
});
