/**
 * A formula. Its renderer is loaded when the first formula is shown; until then, and for what is not valid TeX, the source is
 * shown.
 */
import { memo, useMemo } from 'react';
import { scrollable } from '../../../ui/scrollable.js';
import { lateValue } from '../../../ui/state/late-value.js';
import './formula.css';

const renderer = lateValue(async () => (await import('./formula-renderer.js')).renderFormula);

export const Formula = memo(({ source, isBlock }: { source: string; isBlock: boolean }) => {
  const render = renderer.useValue();
  const rendered = useMemo(() => render?.(source, isBlock) ?? null, [render, source, isBlock]);
  const shown = rendered ?? <code>{source}</code>;
  return isBlock ? (
    <span className="formula-block" dir="ltr" data-tex={`$$${source.trim()}$$`} {...scrollable}>
      {shown}
    </span>
  ) : (
    <span dir="ltr" data-tex={`$${source}$`}>
      {shown}
    </span>
  );
});
