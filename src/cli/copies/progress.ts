/** Shows on a terminal how far a command is, in one line that is written again; anywhere else nothing. */
import type { Progress } from '../../database/backup/progress.js';

const intervalMs = 200;

export interface ShownLine {
  /** Calls `line` only when it is time to write it again. */
  show: (line: () => string) => void;
  /** Removes the line. */
  end: () => void;
}

export function showLine(): ShownLine {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined };
  let shownMs = 0;
  const show = (line: () => string) => {
    if (performance.now() - shownMs < intervalMs) return;
    shownMs = performance.now();
    process.stderr.write(`\r\u001b[K${line()}`);
  };
  return { show, end: () => process.stderr.write('\r\u001b[K') };
}

/** Shows how much is done while `work` lasts, which tells how much more that is. */
export async function whileCounted<T>(
  line: (done: number) => string,
  work: (onMore: (more: number) => void) => Promise<T>,
): Promise<T> {
  const { show, end } = showLine();
  let done = 0;
  try {
    return await work((more) => {
      done += more;
      show(() => line(done));
    });
  } finally {
    end();
  }
}

/** Shows how much is copied while `work` lasts. */
export function whileCopied<T>(work: (onProgress: Progress) => Promise<T>): Promise<T> {
  let table = '';
  return whileCounted(
    (bytes) => `${sizeText(bytes)}, now ${table}`,
    (onBytes) =>
      work((name, more) => {
        table = name;
        onBytes(more);
      }),
  );
}

export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}
