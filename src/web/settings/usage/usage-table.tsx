/** A table of usage, with a bar in each row for its share of tokens. */
import type { ReactNode } from 'react';
import { Amount, Cost } from './amount.js';
import { type Amounts, type Row, totalOf } from './sums.js';

export interface UsageTableProps {
  /** What a row is of, in the heading of the first column. */
  of: string;
  caption: string;
  rows: readonly Row[];
  hasCosts: boolean;
  nameOf: (key: string) => ReactNode;
}

export function UsageTable({ of, caption, rows, hasCosts, nameOf }: UsageTableProps) {
  return (
    <section>
      <h3 id={`usage-${of}`}>{caption}</h3>
      <table className="usage-table" aria-labelledby={`usage-${of}`}>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">Responses</th>
            <th scope="col">Tokens in</th>
            <th scope="col">Tokens out</th>
            {hasCosts && <th scope="col">Cost</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
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
            <th scope="row">Total</th>
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
