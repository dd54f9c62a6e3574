/** The budgets of the organization: what was taken of each, and how to set and remove them. */
import { runMutation } from '../../../api/client.js';
import type { Budget } from '../../../api/types.js';
import { budgetsQuery, removeBudgetMutation } from '../../../api/usage-documents.js';
import { Sentence } from '../../../language/sentence.js';
import { defineTexts, useTexts, withValues } from '../../../language/texts.js';
import { RemoveButton } from '../../../ui/common-buttons.js';
import { Problem } from '../../../ui/problem.js';
import { useList } from '../../../ui/state/use-list.js';
import { useOnce } from '../../../ui/state/use-once.js';
import { useProblem } from '../../../ui/state/use-problem.js';
import { Timestamp } from '../../../ui/timestamp.js';
import { BudgetForm } from './budget-form.js';
import { amountOf, subjectOf, termsOf } from './budget-words.js';

const texts = defineTexts('settings/usage/budgets/budget-section', {
  title: 'Budgets',
  hint: 'When a budget is used up, messages are refused until it renews, at midnight in UTC. All budgets that concern a message hold; that of one member replaces that of each.',
  usedUp: 'Used up',
  renews: '{terms} · renews {time}',
  taken: '{terms} · {spent} taken · renews {time}',
  removeOf: withValues('Remove: {subject}, {terms}'),
  removed: withValues('{subject} no longer has this budget.'),
});

export function BudgetSection() {
  const t = useTexts(texts);
  const list = useList(budgetsQuery, {}, ({ budgets }) => budgets);
  return (
    <section>
      <h2 ref={list.heading} tabIndex={-1}>
        {t.title}
      </h2>
      <p className="field-hint">{t.hint}</p>
      <Problem message={list.problem} />
      <p role="status">{list.notice && <span className="notice">{list.notice}</span>}</p>
      {list.items && <BudgetForm onSet={list.changed} />}
      <ul className="settings-list">
        {list.items?.map((budget) => (
          <BudgetRow key={budget.id} budget={budget} onRemoved={list.removed} />
        ))}
      </ul>
    </section>
  );
}

interface BudgetRowProps {
  budget: Budget;
  onRemoved: (words: string) => Promise<void>;
}

function BudgetRow({ budget, onRemoved }: BudgetRowProps) {
  const t = useTexts(texts);
  const [problem, setProblem] = useProblem();
  const { isRunning, once } = useOnce();
  const [subject, terms] = [subjectOf(budget), termsOf(budget)];
  const { id, spent, maximum, renewsAt } = budget;
  const remove = async () => {
    const outcome = await runMutation(removeBudgetMutation, { id });
    setProblem(outcome.ok ? null : outcome.message);
    if (outcome.ok || outcome.code === 'NOT_FOUND') await onRemoved(t.removed({ subject }));
  };
  return (
    <li className="settings-row">
      <div>
        <strong>
          <bdi>{subject}</bdi>
        </strong>
        {spent !== null && spent >= maximum && <span className="settings-badge">{t.usedUp}</span>}
        <p className="field-hint">
          <Sentence
            text={spent === null ? t.renews : t.taken}
            parts={{ terms, spent: spent !== null && amountOf(spent), time: <Timestamp at={renewsAt} /> }}
          />
        </p>
      </div>
      <div className="buttons">
        <RemoveButton
          aria-label={t.removeOf({ subject, terms })}
          aria-disabled={isRunning}
          onClick={() => once(remove)}
        />
      </div>
      <Problem message={problem} />
    </li>
  );
}
