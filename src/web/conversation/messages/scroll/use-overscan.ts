/**
 * How many rows beyond those in sight are in the page: one at first, so that a conversation is seen and can be scrolled before
 * the rest of it is rendered, and then one more in each task, until there are enough for fast scrolling. Paper gets all of them.
 */
import { startTransition, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

const mostRows = 6;

export function useOverscan(isReady: boolean): number {
  const [rows, setRows] = useState(1);
  const isPrinting = usePrinting();
  useEffect(() => {
    if (!isReady || rows === mostRows) return;
    const timer = setTimeout(() => startTransition(() => setRows(rows + 1)));
    return () => clearTimeout(timer);
  }, [isReady, rows]);
  return isPrinting ? Number.POSITIVE_INFINITY : rows;
}

function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser lays out the paper as soon as its event is handled.
    const note = ({ type }: Event) => flushSync(() => setPrinting(type === 'beforeprint'));
    const events = ['beforeprint', 'afterprint'] as const;
    for (const event of events) addEventListener(event, note);
    return () => {
      for (const event of events) removeEventListener(event, note);
    };
  }, []);
  return isPrinting;
}
