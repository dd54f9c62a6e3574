/** Numbers as the reader writes them. On a phone large ones are short, so that a table fits. */
import { formatIn, numbers } from '../../language/formats.js';
import { defineTexts, useTexts } from '../../language/texts.js';

const texts = defineTexts('settings/usage/amount', {
  unpriced: 'The price list has none of these models',
  incomplete: 'Leaves out models that are not in the price list',
});

const short = formatIn(
  (languages) => new Intl.NumberFormat(languages, { notation: 'compact', maximumSignificantDigits: 3 }),
);
const money = formatIn(
  (languages) => new Intl.NumberFormat(languages, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);
const smallMoney = formatIn(
  (languages) => new Intl.NumberFormat(languages, { minimumFractionDigits: 2, maximumFractionDigits: 4 }),
);

export function Amount({ value }: { value: number }) {
  return (
    <>
      <span className="usage-whole">{numbers().format(value)}</span>
      <span className="usage-short" title={numbers().format(value)}>
        {short().format(value)}
      </span>
    </>
  );
}

/** A cost without a currency, which only the operator knows. */
export function Cost({ cost, isComplete }: { cost: number | null; isComplete: boolean }) {
  const t = useTexts(texts);
  if (cost === null) return <span title={t.unpriced}>–</span>;
  const text = (cost < 1 ? smallMoney() : money()).format(cost);
  if (isComplete) return text;
  return <span title={t.incomplete}>≥ {text}</span>;
}
