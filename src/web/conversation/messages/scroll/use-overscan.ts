/**
 * How many rows beyond those in sight are in the page: one at first, so that a conversation is seen and can be scrolled before
 * the rest of it is rendered, and then one more in each task, until there are enough for fast scrolling.
 */
import { startTransition, useEffect, useState } from 'react';

const mostRows = 6;

export function useOverscan(isReady: boolean): number {
  const [rows, setRows] = useState(1);
  useEffect(() => {
    if (!isReady || rows === mostRows) return;
    const timer = setTimeout(() => startTransition(() => setRows(rows + 1)));
    return () => clearTimeout(timer);
  }, [isReady, rows]);
  return rows;
}
