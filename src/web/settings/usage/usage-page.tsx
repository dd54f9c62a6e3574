/** What the responses of the organization took, by day, user and model, for administrators. */
import { useState } from 'react';
import type { Identity, Usage, UsageSum } from '../../api/types.js';
import { usageQuery } from '../../api/usage-documents.js';
import { useQuery } from '../../api/use-query.js';
import { formatIn } from '../../language/formats.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { RetryButton } from '../../ui/common-buttons.js';
import { displayName, organizationName } from '../../ui/display-name.js';
import { Problem } from '../../ui/problem.js';
import { Amount, Cost } from './amount.js';
import { BudgetSection } from './budgets/budget-section.js';
import { SpanForm } from './span-form.js';
import { type Span, spanOf } from './spans.js';
import { rowsOf, totalOf } from './sums.js';
import { UsageTable, usageTableTexts } from './usage-table.js';
import './usage.css';

const texts = defineTexts('settings/usage/usage-page', {
  title: withValues('Usage of {organization}'),
  hint: 'What responses took, also in threads that were deleted since. Days are those of UTC.',
  loading: 'Loading…',
  shown: withValues('Usage from {from} to {to}.'),
  nothing: withValues('No responses from {from} to {to}.'),
  day: 'Day',
  byDay: 'By day',
  user: 'User',
  byUser: 'By user',
  model: 'Model',
  byModel: 'By model',
  partlyPriced: 'Not every model is in the price list of the operator: where one is missing, the cost is higher.',
  unpriced: 'The operator can state prices of these models, and then their cost is shown.',
  former: 'Former member',
});

const day = formatIn(
  (languages) => new Intl.DateTimeFormat(languages, { timeZone: 'UTC', day: 'numeric', month: 'short' }),
);
const fullDay = formatIn((languages) => new Intl.DateTimeFormat(languages, { timeZone: 'UTC', dateStyle: 'full' }));
const dayOfYear = formatIn((languages) => new Intl.DateTimeFormat(languages, { timeZone: 'UTC', dateStyle: 'medium' }));

export function UsagePage({ me }: { me: Identity }) {
  const t = useTexts(texts);
  const [span, setSpan] = useState(() => spanOf('thisMonth', new Date()));
  const { found: usage, foundBy, problem, isLoading, load } = useQuery(usageQuery, span);
  const days = daysOf(foundBy ?? span);
  return (
    <>
      <section>
        <h2>{t.title({ organization: organizationName(me) })}</h2>
        <p className="field-hint">{t.hint}</p>
        <SpanForm span={span} onChosen={setSpan} />
        <Problem message={problem} />
        {problem !== null && (
          <div className="buttons">
            <RetryButton onClick={() => void load()} />
          </div>
        )}
        <p role="status" className={isLoading ? 'field-hint' : 'visually-hidden'}>
          {isLoading ? t.loading : usage && problem === null && t.shown(days)}
        </p>
        {usage && problem === null && (
          <div className="usage" aria-busy={isLoading}>
            {usage.days.length > 0 ? <Shown usage={usage} /> : <p className="usage-empty">{t.nothing(days)}</p>}
          </div>
        )}
      </section>
      <BudgetSection />
    </>
  );
}

function Shown({ usage: { days, users, models } }: { usage: Usage }) {
  const t = useTexts(texts);
  const columns = useTexts(usageTableTexts);
  const total = totalOf(days);
  const hasCosts = total.cost !== null;
  const members = new Map(users.map(({ userId, member }) => [userId, member]));
  const figures = [
    [columns.responses, <Amount key="responses" value={total.responses} />],
    [columns.input, <Amount key="in" value={total.inputTokens} />],
    [columns.output, <Amount key="out" value={total.outputTokens} />],
    ...(hasCosts ? [[columns.cost, <Cost key="cost" cost={total.cost} isComplete={total.isCostComplete} />]] : []),
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
      {!total.isCostComplete && <p className="field-hint">{hasCosts ? t.partlyPriced : t.unpriced}</p>}
      <UsageTable id="day" of={t.day} caption={t.byDay} rows={rowsOf(days)} hasCosts={hasCosts} nameOf={Day} />
      <UsageTable
        id="user"
        of={t.user}
        caption={t.byUser}
        rows={rowsOf(users)}
        hasCosts={hasCosts}
        nameOf={(id) => <User id={id} member={members.get(id)} />}
      />
      <UsageTable
        id="model"
        of={t.model}
        caption={t.byModel}
        rows={rowsOf(models)}
        hasCosts={hasCosts}
        nameOf={Model}
      />
    </>
  );
}

function Day(date: string) {
  const at = new Date(date);
  return (
    <time dateTime={date} title={fullDay().format(at)}>
      {day().format(at)}
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

function User({ id, member }: { id: string; member: UsageSum['member'] | undefined }) {
  const { former } = useTexts(texts);
  return member ? <bdi>{displayName(member.name, member.email)}</bdi> : <span title={id}>{former}</span>;
}

function daysOf({ from, to }: Span): Span {
  return { from: dayOfYear().format(new Date(from)), to: dayOfYear().format(new Date(to)) };
}
