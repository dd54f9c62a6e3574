import { BackupReader } from './backup-reader.js';
import type { Header } from './format.js';

export interface Checked {
  header: Header;
  rows: number;
}

/** Reads a backup to its end, and throws if it is not whole. */
export async function checkBackup(parts: AsyncIterable<Buffer>): Promise<Checked> {
  const reader = new BackupReader(parts);
  const header = await reader.header();
  let rows = 0;
  for (const { name } of header.tables) {
    const reading = reader.rows(name);
    for (;;) {
      const { done, value } = await reading.next();
      if (!done) continue;
      rows += value.rows;
      break;
    }
  }
  await reader.sequences();
  return { header, rows };
}
