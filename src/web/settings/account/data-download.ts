/**
 * Fetches everything about the viewer, page by page. Each page becomes a blob, which the browser may keep outside of memory.
 * After a failure it goes on where it was.
 */
import { runQuery } from '../../api/client.js';
import { dataExportQuery } from '../../api/late/settings-documents.js';
import { onSessionEnd } from '../../api/session-ended.js';
import { saveFile } from '../../ui/save-file.js';
import { RunningTask } from '../running-task.js';

/** How many records there are so far. */
export const runningDownload = new RunningTask<number>();

class DataDownload {
  #parts: Blob[] = [];
  #after: string | null = null;
  #count = 0;

  /** How many records it has. */
  get count(): number {
    return this.#count;
  }

  /** Fetches what is missing, and lets the browser save the file. Returns why it is not complete, or null. */
  async fetch(onPage: (count: number) => boolean): Promise<string | null> {
    for (;;) {
      const outcome = await runQuery(dataExportQuery, { after: this.#after });
      if (!outcome.ok) {
        // The audit log has forgotten the export, or the database is another one.
        if (outcome.code === 'INVALID_CURSOR') this.#restart();
        return outcome.message;
      }
      const { records, cursor, hasNextPage } = outcome.value.dataExport;
      this.#parts.push(new Blob(records.map(({ line }) => `${line}\n`)));
      this.#count += records.length;
      this.#after = cursor ?? this.#after;
      if (!onPage(this.#count)) return null;
      if (!hasNextPage) break;
    }
    const day = new Date().toISOString().slice(0, 10);
    saveFile(`skein-data-${day}.jsonl`, new Blob(this.#parts, { type: 'application/jsonl' }));
    this.#restart();
    return null;
  }

  #restart(): void {
    this.#parts = [];
    this.#after = null;
    this.#count = 0;
  }
}

let download = new DataDownload();

/** What one person has fetched is not for the next. */
onSessionEnd(() => {
  download = new DataDownload();
});

export function downloadData(): void {
  void runningDownload.run(download.count, (note) => download.fetch(note));
}
