/**
 * Fetches everything about the viewer, page by page. Each page becomes a blob, which the browser may keep outside of memory.
 * After a failure it goes on where it was.
 */
import { runQuery } from '../../api/client.js';
import { dataExportQuery } from '../../api/late/settings-documents.js';
import { saveFile } from '../../ui/save-file.js';

export class DataDownload {
  #parts: Blob[] = [];
  #after: string | null = null;
  #count = 0;

  /** How many records it has. */
  get count(): number {
    return this.#count;
  }

  /** Fetches what is missing. Returns null when it is complete, or why it is not. */
  async fetch(onPage: (count: number) => void): Promise<string | null> {
    for (;;) {
      const outcome = await runQuery(dataExportQuery, { after: this.#after });
      if (!outcome.ok) {
        if (outcome.code === 'INVALID_CURSOR') this.#restart();
        return outcome.message;
      }
      const { records, cursor, hasNextPage } = outcome.value.dataExport;
      this.#parts.push(new Blob(records.map(({ line }) => `${line}\n`)));
      this.#count += records.length;
      this.#after = cursor ?? this.#after;
      onPage(this.#count);
      if (!hasNextPage) return null;
    }
  }

  /** Lets the browser save the file. */
  save(): void {
    const day = new Date().toISOString().slice(0, 10);
    saveFile(`skein-data-${day}.jsonl`, new Blob(this.#parts, { type: 'application/jsonl' }));
  }

  /** The audit log has forgotten the export, or the database is another one. */
  #restart(): void {
    this.#parts = [];
    this.#after = null;
    this.#count = 0;
  }
}
