/** What the responses of the organization took, by day, user and model, for administrators. */
import { useState } from 'react';
import type { Identity } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { Problem } from '../../ui/field.js';
import { languages } from '../../ui/languages.js';
import { Amount, Cost } from './amount.js';
import { BudgetSection } from './budgets/budget-section.js';
import { SpanForm } from './span-form.js';
import { spanOf } from './spans.js';
import { rowsOf, totalOf } from './sums.js';
import { UsageTable } from './usage-table.js';
import { type ShownUsage, useUsage } from './use-usage.js';
import './usage.css';

const day = new Intl.DateTimeFormat(languages, { timeZone: 'UTC', day: 'numeric', month: 'short' });
const fullDay = new Intl.DateTimeFormat(languages, { timeZone: 'UTC', dateStyle: 'full' });
const dayOfYear = new Intl.DateTimeFormat(languages, { timeZone: 'UTC', dateStyle: 'medium' });

export function UsagePage({ me }: { me: Identity }) {
  const [span, setSpan] = useState(() => spanOf('thisMonth', new Date()));
  const { usage, problem, isLoading, load } = useUsage(span);
  return (
    <>
      <section>
        <h2>Usage of {me.organizationSlug}</h2>
        <p className="field-hint">
          What responses took, also in threads that were deleted since. Days are those of UTC.
        </p>
        <SpanForm span={span} onChosen={setSpan} />
        <Problem message={problem} />
        {problem !== null && (
          <div className="settings-actions">
            <Button onClick={load}>Try again</Button>
          </div>
        )}
        <p role="status" className={isLoading ? 'field-hint' : 'visually-hidden'}>
          {isLoading ? 'Loading…' : usage && problem === null && `Usage from ${describe(usage)}.`}
        </p>
        {usage && problem === null && (
          <div className="usage" aria-busy={isLoading}>
            {usage.days.length > 0 ? <Shown usage={usage} /> : <Nothing usage={usage} />}
          </div>
        )}
      </section>
      <BudgetSection />
    </>
  );
}

function Nothing({ usage }: { usage: ShownUsage }) {
  return <p className="usage-empty">No responses from {describe(usage)}.</p>;
}

function Shown({ usage: { days, users, models, names } }: { usage: ShownUsage }) {
  const total = totalOf(days);
  const hasCosts = total.cost !== null;
  const figures = [
    ['Responses', <Amount key="responses" value={total.responses} />],
    ['Tokens in', <Amount key="in" value={total.inputTokens} />],
    ['Tokens out', <Amount key="out" value={total.outputTokens} />],
    ...(hasCosts ? [['Cost', <Cost key="cost" cost={total.cost} isComplete={total.isCostComplete} />]] : []),
  ];
  return (
    <>
      <dl className="usage-totals">
        {figures.map(([name, value]) => (
          <div key={String(name)}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!total.isCostComplete && <p className="field-hint">{costNote(hasCosts)}</p>}
      <UsageTable of="Day" caption="By day" rows={rowsOf(days)} hasCosts={hasCosts} nameOf={Day} />
      <UsageTable
        of="User"
        caption="By user"
        rows={rowsOf(users)}
        hasCosts={hasCosts}
        nameOf={(id) => <User id={id} name={names.get(id)} />}
      />
      <UsageTable of="Model" caption="By model" rows={rowsOf(models)} hasCosts={hasCosts} nameOf={Model} />
    </>
  );
}

function costNote(hasCosts: boolean): string {
  return hasCosts
    ? 'Not every model is in the price list of the operator: where one is missing, the cost is higher.'
    : 'The operator can state prices of these models, and then their cost is shown.';
}

function Day(date: string) {
  const at = new Date(date);
  return (
    <time dateTime={date} title={fullDay.format(at)}>
      {day.format(at)}
    </time>
  );
}

/** Breaks a long name after its provider first. */
function Model(name: string) {
  const [provider = '', ...rest] = name.split(':');
  if (rest.length === 0) return name;
  return (
    <>
      {provider}:<wbr />
      {rest.join(':')}
    </>
  );
}

function User({ id, name }: { id: string; name: string | undefined }) {
  return name === undefined ? <span title={id}>Former member</span> : <bdi>{name}</bdi>;
}

function describe({ span: { from, to } }: ShownUsage): string {
  return `${dayOfYear.format(new Date(from))} to ${dayOfYear.format(new Date(to))}`;
}
