/** Sets a budget, in place of the one of the same subject, period and kind. */
import { type FormEvent, useState } from 'react';
import { runMutation } from '../../../api/client.js';
import { setBudgetMutation } from '../../../api/usage-documents.js';
import { Button } from '../../../ui/button.js';
import { Field, Problem, Select } from '../../../ui/field.js';
import { useOnce } from '../../../ui/state/use-once.js';

export interface BudgetFormProps {
  names: ReadonlyMap<string, string>;
  onSet: (words: string) => Promise<void>;
}

export function BudgetForm({ names, onSet }: BudgetFormProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const { isRunning, once } = useOnce();
  const set = async (form: HTMLFormElement) => {
    const outcome = await runMutation(setBudgetMutation, { input: inputOf(new FormData(form)) });
    setProblem(outcome.ok ? null : outcome.message);
    if (!outcome.ok) return;
    form.reset();
    await onSet('The budget is set.');
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    once(() => set(form));
  };
  return (
    <form className="usage-span" onSubmit={submit}>
      <Select label="Budget of" name="subject">
        <option value="ORGANIZATION">The organization</option>
        <option value="USER">Each member</option>
        {[...names].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value="TOKEN">Each API token</option>
      </Select>
      <Field label="At most" name="maximum" type="number" min={0} step="any" required />
      <Select label="Kind" name="unit">
        <option value="TOKENS">Tokens</option>
        <option value="COST">Cost</option>
      </Select>
      <Select label="Renews" name="period" defaultValue="MONTH">
        <option value="DAY">Each day</option>
        <option value="MONTH">Each month</option>
      </Select>
      <Button type="submit" aria-disabled={isRunning}>
        Set budget
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
