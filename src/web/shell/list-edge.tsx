/** The edge of the list, which one drags or moves with the arrow keys to make the list wider or narrower. */
import type { KeyboardEvent, PointerEvent } from 'react';
import { narrowestPx, resetListWidth, setListWidth, useListWidth, widestPx } from './list-width.js';

const stepPx = 16;

export function ListEdge() {
  const { px } = useListWidth();
  return (
    <hr
      className="list-edge"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the list of threads"
      aria-controls="threads"
      aria-valuenow={px}
      aria-valuemin={narrowestPx}
      aria-valuemax={widestPx}
      title="Drag to change the width of the list, double-click for the usual one"
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
  setListWidth({ px: getComputedStyle(currentTarget).direction === 'rtl' ? right - clientX : clientX - left });
}

function move(event: KeyboardEvent, px: number): void {
  const wanted = {
    ArrowLeft: px - stepPx,
    ArrowRight: px + stepPx,
    Home: narrowestPx,
    End: widestPx,
  }[event.key];
  if (wanted === undefined) return;
  event.preventDefault();
  setListWidth({ px: wanted });
}
