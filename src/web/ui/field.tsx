/** Forms and their fields. The label, the hint and what was wrong are linked to the input for screen readers. */
import {
  type FormEvent,
  type FormHTMLAttributes,
  type InputHTMLAttributes,
  type SelectHTMLAttributes,
  useEffect,
  useId,
  useRef,
} from 'react';
import './field.css';

export interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> {
  /** Sends what is in the form, which the browser does not. */
  onSend: (form: HTMLFormElement) => void;
}

export function Form({ onSend, ...rest }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend(event.currentTarget);
  };
  return <form onSubmit={submit} {...rest} />;
}

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: string;
  /** Why what is in it was refused. It then gets the focus, so it must be null while the form is being sent. */
  problem?: string | null;
}

export function Field({ label, hint, problem = null, ...input }: FieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean);
  useEffect(() => {
    if (problem === null) return;
    field.current?.focus();
    field.current?.select();
  }, [problem]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        ref={field}
        id={id}
        className="input"
        dir="auto"
        aria-invalid={problem !== null}
        {...(notes.length > 0 && { 'aria-describedby': notes.join(' ') })}
        {...input}
      />
      {hint && (
        <span id={`${id}-hint`} className="field-hint">
          {hint}
        </span>
      )}
      {problem && (
        <span id={`${id}-problem`} className="field-problem">
          {problem}
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
