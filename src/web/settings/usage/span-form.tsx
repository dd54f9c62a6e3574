/** Chooses the days that are shown: a span that has a name at once, other days when both are given. */
import { useState } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { Field, Form, Select } from '../../ui/field.js';
import { type Span, type SpanName, spanNames, spanOf } from './spans.js';

const texts = defineTexts('settings/usage/span-form', {
  time: 'Time',
  from: 'From',
  to: 'To',
  show: 'Show',
  thisMonth: 'This month',
  lastMonth: 'Previous month',
  week: 'Last 7 days',
  custom: 'Other days',
});

export function SpanForm({ span, onChosen }: { span: Span; onChosen: (span: Span) => void }) {
  const t = useTexts(texts);
  const [name, setName] = useState<SpanName>('thisMonth');
  const choose = (value: string) => {
    const chosen = isSpanName(value) ? value : 'thisMonth';
    setName(chosen);
    if (chosen !== 'custom') onChosen(spanOf(chosen, new Date()));
  };
  const send = (form: HTMLFormElement) => {
    const fields = new FormData(form);
    onChosen({ from: String(fields.get('from')), to: String(fields.get('to')) });
  };
  return (
    <Form className="usage-span" onSend={send}>
      <Select label={t.time} value={name} onChange={({ target }) => choose(target.value)}>
        {spanNames.map((value) => (
          <option key={value} value={value}>
            {t[value]}
          </option>
        ))}
      </Select>
      {name === 'custom' && (
        <>
          <Field label={t.from} name="from" type="date" defaultValue={span.from} required />
          <Field label={t.to} name="to" type="date" defaultValue={span.to} required />
          <Button type="submit">{t.show}</Button>
        </>
      )}
    </Form>
  );
}

function isSpanName(value: string): value is SpanName {
  return spanNames.some((name) => name === value);
}
