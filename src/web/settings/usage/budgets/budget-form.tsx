/** Sets a budget, in place of the one of the same subject, period and kind. */
import { type FormEvent, useState } from 'react';
import { highestBudget } from '../../../../contract.js';
import { runMutation } from '../../../api/client.js';
import { setBudgetMutation } from '../../../api/usage-documents.js';
import { defineTexts, useTexts } from '../../../language/texts.js';
import { Button } from '../../../ui/button.js';
import { Field, Select } from '../../../ui/field.js';
import { Problem } from '../../../ui/problem.js';
import { useOnce } from '../../../ui/state/use-once.js';
import { useProblem } from '../../../ui/state/use-problem.js';

const texts = defineTexts('settings/usage/budgets/budget-form', {
  subject: 'Budget of',
  organization: 'The organization',
  eachMember: 'Each member',
  eachToken: 'Each API token',
  maximum: 'At most',
  kind: 'Kind',
  tokens: 'Tokens',
  cost: 'Cost',
  renews: 'Renews',
  daily: 'Each day',
  monthly: 'Each month',
  set: 'Set budget',
  done: 'The budget is set.',
});

export interface BudgetFormProps {
  names: ReadonlyMap<string, string>;
  onSet: (words: string) => Promise<void>;
}

export function BudgetForm({ names, onSet }: BudgetFormProps) {
  const t = useTexts(texts);
  const [problem, setProblem] = useProblem();
  const [unit, setUnit] = useState('TOKENS');
  const { isRunning, once } = useOnce();
  const set = async (form: HTMLFormElement) => {
    const outcome = await runMutation(setBudgetMutation, { input: inputOf(new FormData(form)) });
    setProblem(outcome.ok ? null : outcome.message);
    if (!outcome.ok) return;
    form.reset();
    await onSet(t.done);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    once(() => set(form));
  };
  return (
    <form className="usage-span" onSubmit={submit} onReset={() => setUnit('TOKENS')}>
      <Select label={t.subject} name="subject">
        <option value="ORGANIZATION">{t.organization}</option>
        <option value="USER">{t.eachMember}</option>
        {[...names].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value="TOKEN">{t.eachToken}</option>
      </Select>
      <Field
        label={t.maximum}
        name="maximum"
        type="number"
        min={0}
        max={unit === 'COST' ? highestBudget.cost : highestBudget.tokens}
        step={unit === 'COST' ? 'any' : 1}
        required
      />
      <Select label={t.kind} name="unit" onChange={({ target }) => setUnit(target.value)}>
        <option value="TOKENS">{t.tokens}</option>
        <option value="COST">{t.cost}</option>
      </Select>
      <Select label={t.renews} name="period" defaultValue="MONTH">
        <option value="DAY">{t.daily}</option>
        <option value="MONTH">{t.monthly}</option>
      </Select>
      <Button type="submit" aria-disabled={isRunning}>
        {t.set}
      </Button>
      <Problem message={problem} />
    </form>
  );
}

function inputOf(fields: FormData) {
  const subject = String(fields.get('subject'));
  const isOfOne = !['ORGANIZATION', 'USER', 'TOKEN'].includes(subject);
  return {
    scope: isOfOne || subject === 'USER' ? 'USER' : subject === 'TOKEN' ? 'TOKEN' : 'ORGANIZATION',
    userId: isOfOne ? subject : null,
    period: fields.get('period') === 'DAY' ? 'DAY' : 'MONTH',
    unit: fields.get('unit') === 'COST' ? 'COST' : 'TOKENS',
    maximum: Number(fields.get('maximum')),
  } as const;
}
