/** Creates a token with a name, permissions and a lifetime. */
import { type FormEvent, useState } from 'react';
import { textLimits } from '../../../contract/text-limits.js';
import { runMutation } from '../../api/client.js';
import { createTokenMutation } from '../../api/late/settings-documents.js';
import type { Scope } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { Field, Problem, Select } from '../../ui/field.js';
import { useOnce } from '../../ui/state/use-once.js';
import { scopes } from './scopes.js';

const lifetimes = [
  { days: 7, words: '7 days' },
  { days: 30, words: '30 days' },
  { days: 90, words: '90 days' },
  { days: 365, words: 'One year' },
];
const usualDays = 90;

/** Scopes that are not selected by default. */
const unusual: ReadonlySet<Scope> = new Set(['FEEDBACK_WRITE', 'TOKENS_WRITE']);

export function TokenForm({ onCreated }: { onCreated: (secret: string) => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const { isRunning, once } = useOnce();
  const create = async (fields: FormData) => {
    const chosen: Scope[] = scopes.map(({ scope }) => scope).filter((scope) => fields.has(scope));
    if (chosen.length === 0) return setProblem('Select at least one permission.');
    const input = { name: String(fields.get('name')), scopes: chosen, expiresInDays: Number(fields.get('days')) };
    const outcome = await runMutation(createTokenMutation, { input });
    if (outcome.ok) onCreated(outcome.value.secret);
    setProblem(outcome.ok ? null : outcome.message);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    once(() => create(fields));
  };
  return (
    <form className="settings-form" onSubmit={submit}>
      <Field
        label="Name"
        name="name"
        hint="The program that will use the token, for example “Nightly report”."
        maxLength={textLimits.name.max}
        required
      />
      <fieldset className="settings-scopes">
        <legend className="field-label">Permissions</legend>
        {scopes.map(({ scope, name, words }) => (
          <label key={scope}>
            <input type="checkbox" name={scope} defaultChecked={!unusual.has(scope)} />
            <span>
              {words} <code>{name}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <Select label="Expires after" name="days" defaultValue={usualDays}>
        {lifetimes.map(({ days, words }) => (
          <option key={days} value={days}>
            {words}
          </option>
        ))}
      </Select>
      <Problem message={problem} />
      <Button variant="primary" type="submit" aria-disabled={isRunning}>
        Create token
      </Button>
    </form>
  );
}
