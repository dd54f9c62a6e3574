/** A row of buttons of which one is pressed: which part of a list is shown. */
import './pills.css';

export interface PillsProps<Value extends string> {
  /** What is chosen, for screen readers. */
  legend: string;
  items: readonly { value: Value; label: string }[];
  value: Value;
  onChoose: (value: Value) => void;
  className?: string;
}

export function Pills<Value extends string>({ legend, items, value, onChoose, className = '' }: PillsProps<Value>) {
  return (
    <fieldset className={`pills ${className}`}>
      <legend className="visually-hidden">{legend}</legend>
      {items.map((item) => (
        <button key={item.value} type="button" aria-pressed={item.value === value} onClick={() => onChoose(item.value)}>
          {item.label}
        </button>
      ))}
    </fieldset>
  );
}
