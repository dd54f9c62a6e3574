/** Chooses the days that are shown: a span that has a name at once, other days when both are given. */
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.js';
import { Field, Select } from '../../ui/field.js';
import { type Span, type SpanName, spanNames, spanOf } from './spans.js';

export function SpanForm({ span, onChosen }: { span: Span; onChosen: (span: Span) => void }) {
  const [name, setName] = useState<SpanName>('thisMonth');
  const choose = (value: string) => {
    const chosen = isSpanName(value) ? value : 'thisMonth';
    setName(chosen);
    if (chosen !== 'custom') onChosen(spanOf(chosen, new Date()));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    onChosen({ from: String(fields.get('from')), to: String(fields.get('to')) });
  };
  return (
    <form className="usage-span" onSubmit={submit}>
      <Select label="Time" value={name} onChange={({ target }) => choose(target.value)}>
        {Object.entries(spanNames).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
      {name === 'custom' && (
        <>
          <Field label="From" name="from" type="date" defaultValue={span.from} required />
          <Field label="To" name="to" type="date" defaultValue={span.to} required />
          <Button type="submit">Show</Button>
        </>
      )}
    </form>
  );
}

function isSpanName(value: string): value is SpanName {
  return Object.hasOwn(spanNames, value);
}
