/** The edge of the list, which one drags or moves with the arrow keys to make the list wider or narrower. */
import type { KeyboardEvent, PointerEvent } from 'react';
import { defineTexts, useTexts } from '../language/texts.js';
import { narrowestPx, resetListWidth, setListWidth, useListWidth, widestPx } from './list-width.js';

const texts = defineTexts('shell/list-edge', {
  width: 'Width of the list of threads',
  hint: 'Drag to change the width of the list, double-click for the usual one',
});

const stepPx = 16;

export function ListEdge() {
  const t = useTexts(texts);
  const { px } = useListWidth();
  return (
    <hr
      className="list-edge"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t.width}
      aria-controls="threads"
      aria-valuenow={px}
      aria-valuemin={narrowestPx}
      aria-valuemax={widestPx}
      title={t.hint}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
      onDoubleClick={resetListWidth}
      onKeyDown={(event) => move(event, px)}
    />
  );
}

function drag({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>): void {
  if (!currentTarget.hasPointerCapture(pointerId)) return;
  const { left, right } = document.body.getBoundingClientRect();
  setListWidth({ px: isFromRight(currentTarget) ? right - clientX : clientX - left });
}

/** Whether the list is at the right, as in Arabic. */
function isFromRight(edge: Element): boolean {
  return getComputedStyle(edge).direction === 'rtl';
}

function move(event: KeyboardEvent, px: number): void {
  const wanted = {
    ArrowLeft: isFromRight(event.currentTarget) ? px + stepPx : px - stepPx,
    ArrowRight: isFromRight(event.currentTarget) ? px - stepPx : px + stepPx,
    Home: narrowestPx,
    End: widestPx,
  }[event.key];
  if (wanted === undefined) return;
  event.preventDefault();
  setListWidth({ px: wanted });
}
