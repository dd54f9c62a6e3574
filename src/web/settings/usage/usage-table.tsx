/** A table of usage, with a bar in each row for its share of tokens. A long one shows its first rows until all are wanted. */
import { type ReactNode, useState } from 'react';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { Amount, Cost } from './amount.js';
import { type Amounts, type Row, totalOf } from './sums.js';

export const usageTableTexts = defineTexts('settings/usage/usage-table', {
  responses: 'Responses',
  input: 'Tokens in',
  output: 'Tokens out',
  cost: 'Cost',
  total: 'Total',
  all: withValues('Show all {count}'),
});

/** As many as a month has days. */
const firstRows = 31;

export interface UsageTableProps {
  id: string;
  /** What a row is of, in the heading of the first column. */
  of: string;
  caption: string;
  rows: readonly Row[];
  hasCosts: boolean;
  nameOf: (key: string) => ReactNode;
}

export function UsageTable({ id, of, caption, rows, hasCosts, nameOf }: UsageTableProps) {
  const t = useTexts(usageTableTexts);
  const [isWhole, setWhole] = useState(false);
  return (
    <section>
      <h3 id={`usage-${id}`}>{caption}</h3>
      {rows.length > firstRows && (
        <div className="buttons">
          <Button aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {t.all({ count: rows.length })}
          </Button>
        </div>
      )}
      <table className="usage-table" aria-labelledby={`usage-${id}`}>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">{t.responses}</th>
            <th scope="col">{t.input}</th>
            <th scope="col">{t.output}</th>
            {hasCosts && <th scope="col">{t.cost}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, isWhole ? rows.length : firstRows).map((row) => (
            <tr key={row.key}>
              <th scope="row">
                {nameOf(row.key)}
                <span className="usage-bar" style={{ inlineSize: `${row.share * 100}%` }} />
              </th>
              <Cells amounts={row} hasCosts={hasCosts} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.total}</th>
            <Cells amounts={totalOf(rows)} hasCosts={hasCosts} />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Cells({ amounts, hasCosts }: { amounts: Amounts; hasCosts: boolean }) {
  return (
    <>
      <td>
        <Amount value={amounts.responses} />
      </td>
      <td>
        <Amount value={amounts.inputTokens} />
      </td>
      <td>
        <Amount value={amounts.outputTokens} />
      </td>
      {hasCosts && (
        <td>
          <Cost cost={amounts.cost} isComplete={amounts.isCostComplete} />
        </td>
      )}
    </>
  );
}
