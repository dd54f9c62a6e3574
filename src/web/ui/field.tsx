/** Form fields. The label and the hint are linked to the input for screen readers. */
import { type ComponentProps, type InputHTMLAttributes, type SelectHTMLAttributes, useId } from 'react';
import './field.css';

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: string;
}

export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="input" dir="auto" {...(hint ? { 'aria-describedby': `${id}-hint` } : {})} {...input} />
      {hint && (
        <span id={`${id}-hint`} className="field-hint">
          {hint}
        </span>
      )}
    </div>
  );
}

export interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
}

export function Select({ label, ...select }: SelectProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" {...select} />
    </div>
  );
}

/**
 * A text of several lines. Without a value for the beginning, React writes each key into it too, and Chrome then undoes one letter at
 * a time.
 */
export function TextArea(textarea: ComponentProps<'textarea'>) {
  return <textarea dir="auto" defaultValue="" {...textarea} />;
}

/** An error message, announced to screen readers at once. */
export function Problem({ message }: { message: string | null }) {
  return (
    <div role="alert" className="problem">
      {message && <p className="notice notice-danger">{message}</p>}
    </div>
  );
}
