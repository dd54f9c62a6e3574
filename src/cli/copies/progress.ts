/** Shows on a terminal how far a copy is, in one line that is written again; anywhere else nothing. */
import type { Progress } from '../../database/backup/progress.js';

const intervalMs = 200;

export interface ShownProgress {
  onProgress: Progress;
  /** Removes the line. */
  end: () => void;
}

export function showProgress(): ShownProgress {
  if (!process.stderr.isTTY) return { onProgress: () => undefined, end: () => undefined };
  let bytes = 0;
  let shownMs = 0;
  const onProgress = (table: string, more: number) => {
    bytes += more;
    if (performance.now() - shownMs < intervalMs) return;
    shownMs = performance.now();
    process.stderr.write(`\r\u001b[K${sizeText(bytes)}, now ${table}`);
  };
  return { onProgress, end: () => process.stderr.write('\r\u001b[K') };
}

export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}
