/** Creates a token with a name, permissions and a lifetime. */
import { type RefObject, useRef, useState } from 'react';
import { textLimits } from '../../../contract.js';
import { runMutation } from '../../api/client.js';
import { createTokenMutation } from '../../api/late/settings-documents.js';
import type { Scope } from '../../api/types.js';
import { counted, defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { Field, Form, Select } from '../../ui/field.js';
import { Problem } from '../../ui/problem.js';
import { useOnce } from '../../ui/state/use-once.js';
import { useProblem } from '../../ui/state/use-problem.js';
import { nameOfScope, scopes, scopeTexts } from './scopes.js';

const texts = defineTexts('settings/tokens/token-form', {
  noScope: 'Select at least one permission.',
  name: 'Name',
  nameHint: 'The program that will use the token, for example “Nightly report”.',
  scopes: 'Permissions',
  expires: 'Expires after',
  days: counted({ one: '{count} day', other: '{count} days' }),
  year: 'One year',
  create: 'Create token',
});

const lifetimes = [7, 30, 90, 365];
const usualDays = 90;

/** Scopes that are not selected by default. */
const unusual: ReadonlySet<Scope> = new Set(['FEEDBACK_WRITE', 'TOKENS_WRITE']);

export function TokenForm({ onCreated }: { onCreated: (secret: string) => void }) {
  const t = useTexts(texts);
  const [problem, setProblem] = useProblem();
  const [nameProblem, setNameProblem] = useState<string | null>(null);
  const [lacksScope, setLacksScope] = useState(false);
  const firstScope = useRef<HTMLInputElement>(null);
  const { isRunning, once } = useOnce();
  const create = async (fields: FormData) => {
    const chosen: Scope[] = scopes.filter((scope) => fields.has(scope));
    setProblem(null);
    setNameProblem(null);
    setLacksScope(chosen.length === 0);
    if (chosen.length === 0) return firstScope.current?.focus();
    const input = { name: String(fields.get('name')), scopes: chosen, expiresInDays: Number(fields.get('days')) };
    const outcome = await runMutation(createTokenMutation, { input });
    if (outcome.ok) return onCreated(outcome.value.secret);
    const [refused] = outcome.problems;
    if (refused?.field === 'name') setNameProblem(refused.message);
    else setProblem(outcome.message);
  };
  return (
    <Form className="settings-form" onSend={(form) => once(() => create(new FormData(form)))}>
      <Field
        label={t.name}
        name="name"
        hint={t.nameHint}
        maxLength={textLimits.name.max}
        problem={nameProblem}
        required
      />
      <ScopeChoice first={firstScope} problem={lacksScope ? t.noScope : null} />
      <Select label={t.expires} name="days" defaultValue={usualDays}>
        {lifetimes.map((days) => (
          <option key={days} value={days}>
            {days === 365 ? t.year : t.days(days)}
          </option>
        ))}
      </Select>
      <Problem message={problem} />
      <Button variant="primary" type="submit" aria-disabled={isRunning}>
        {t.create}
      </Button>
    </Form>
  );
}

interface ScopeChoiceProps {
  /** The first box, which gets the focus if none is checked. */
  first: RefObject<HTMLInputElement | null>;
  problem: string | null;
}

function ScopeChoice({ first, problem }: ScopeChoiceProps) {
  const t = useTexts(texts);
  const words = useTexts(scopeTexts);
  return (
    <fieldset className="settings-scopes">
      <legend className="field-label">{t.scopes}</legend>
      {scopes.map((scope, index) => (
        <label key={scope}>
          <input
            ref={index === 0 ? first : undefined}
            type="checkbox"
            name={scope}
            defaultChecked={!unusual.has(scope)}
          />
          <span>
            {words[scope]} <code>{nameOfScope(scope)}</code>
          </span>
        </label>
      ))}
      {problem && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
