/** Sets a budget, in place of the one of the same subject, period and kind. */
import { useId, useState } from 'react';
import { highestBudget } from '../../../../contract.js';
import { runMutation } from '../../../api/client.js';
import { setBudgetMutation } from '../../../api/usage-documents.js';
import { defineTexts, useTexts } from '../../../language/texts.js';
import PersonSearch, { type Choice } from '../../../people/person-search.js';
import { Button } from '../../../ui/button.js';
import { Field, Form, Select } from '../../../ui/field.js';
import { Problem } from '../../../ui/problem.js';
import { useOnce } from '../../../ui/state/use-once.js';
import { useProblem } from '../../../ui/state/use-problem.js';
import { budgetTexts } from './budget-words.js';

const texts = defineTexts('settings/usage/budgets/budget-form', {
  subject: 'Budget of',
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
  onSet: (words: string) => Promise<void>;
}

export function BudgetForm({ onSet }: BudgetFormProps) {
  const t = useTexts(texts);
  const { organization, eachMember, eachToken } = useTexts(budgetTexts);
  const [problem, setProblem] = useProblem();
  const others = [
    { id: 'ORGANIZATION', name: organization },
    { id: 'USER', name: eachMember },
    { id: 'TOKEN', name: eachToken },
  ] as const;
  const [subject, setSubject] = useState<Choice>(others[0]);
  const [unit, setUnit] = useState('TOKENS');
  const { isRunning, once } = useOnce();
  const set = async (form: HTMLFormElement) => {
    const outcome = await runMutation(setBudgetMutation, { input: inputOf(subject, new FormData(form)) });
    setProblem(outcome.ok ? null : outcome.message);
    if (!outcome.ok) return;
    form.reset();
    await onSet(t.done);
  };
  const reset = () => {
    setSubject(others[0]);
    setUnit('TOKENS');
  };
  return (
    <Form className="usage-span" onReset={reset} onSend={(form) => once(() => set(form))}>
      <SubjectField others={others} subject={subject} onChoose={setSubject} />
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
    </Form>
  );
}

interface SubjectFieldProps {
  others: readonly Choice[];
  subject: Choice;
  onChoose: (subject: Choice) => void;
}

function SubjectField({ others, subject, onChoose }: SubjectFieldProps) {
  const { subject: label } = useTexts(texts);
  // In the language that is chosen now.
  const { name } = others.find(({ id }) => id === subject.id) ?? subject;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="field">
      <label id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      <button
        id={id}
        type="button"
        className="input"
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        onClick={() => setOpen(true)}
      >
        <bdi>{name}</bdi>
      </button>
      {isOpen && (
        <PersonSearch
          title={label}
          others={others}
          chosenId={subject.id}
          onChoose={onChoose}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

function inputOf(subject: Choice, fields: FormData) {
  const scope = (['ORGANIZATION', 'USER', 'TOKEN'] as const).find((whole) => whole === subject.id);
  return {
    scope: scope ?? 'USER',
    userId: scope ? null : subject.id,
    period: fields.get('period') === 'DAY' ? 'DAY' : 'MONTH',
    unit: fields.get('unit') === 'COST' ? 'COST' : 'TOKENS',
    maximum: Number(fields.get('maximum')),
  } as const;
}
