import type { TokenEntry } from '../../../../src/modules/tokens/log/attempt-text.js';
import type { LogReader, ReadPosition } from '../../../../src/modules/tokens/log/log-reader.js';
import { TokenLog, type TokenLogOptions } from '../../../../src/modules/tokens/log/token-log.js';
import { ManualClock } from '../../manual-clock.js';

export const id = 'msg_1';
const chunkBytes = 16 * 1024;

export function createLog(options: Partial<TokenLogOptions> = {}) {
  const clock = new ManualClock();
  return { log: new TokenLog({ clock, ...options }), clock };
}

export function say(log: TokenLog, epoch: number, ...texts: string[]) {
  return texts.map((text) => log.append(id, epoch, { kind: 'text', text }));
}

export interface Reading extends Partial<ReadPosition> {
  thinkingToo?: boolean;
  maxBytes?: number;
}

/** Everything that a reader at this position can get now, chunk by chunk. */
export function readAll(
  reader: LogReader,
  { thinkingToo = false, maxBytes = chunkBytes, ...from }: Reading = {},
): TokenEntry[] {
  let position = { epoch: 1, text: 0, thinking: 0, ...from };
  const entries: TokenEntry[] = [];
  for (;;) {
    const chunk = reader.next(position, { thinking: thinkingToo, maxBytes });
    if (!chunk) return entries;
    entries.push({ kind: chunk.kind, text: chunk.text });
    position = { epoch: position.epoch, ...chunk.upTo };
  }
}
