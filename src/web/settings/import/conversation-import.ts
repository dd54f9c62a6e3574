/**
 * Imports the files that another service exported, batch by batch. A file is read as a stream and no part of it stays in memory; what
 * the service has imported stays there, so after a failure the same file is chosen again.
 */
import { ExportTooLargeError, exportBatches } from '../../../modules/import/file/export-batches.js';
import { type JsonElement, joined, NoJsonError } from '../../../modules/import/file/json-elements.js';
import { ZipError } from '../../../modules/import/file/zip-files.js';
import { runMutation } from '../../api/client.js';
import { importMutation } from '../../api/late/settings-documents.js';
import { uploadFile } from '../../conversation/composer/upload-file.js';
import { defineTexts } from '../../language/texts.js';

const texts = defineTexts('settings/import/conversation-import', {
  noExport: 'This is no export of another service. Choose a JSON file, or the archive of ChatGPT.',
  archive: 'The archive has no conversations.json, or cannot be read. Unpack it, and choose the JSON file in it.',
  large: 'The export is larger than 4 GB. Import it in parts.',
  stopped: 'The import was stopped.',
});

/** How far an import is. Counts are by the names that the service has for them. */
export interface ImportState {
  /** From 0 to 1. */
  progress: number;
  imported: number;
  existing: number;
  refused: Readonly<Record<string, number>>;
  leftOut: Readonly<Record<string, number>>;
}

export const nothingImported: ImportState = { progress: 0, imported: 0, existing: 0, refused: {}, leftOut: {} };

/** Returns why not everything is imported; null if it is. `onState` says with false that nobody wants the rest. */
export async function importFiles(
  files: readonly File[],
  onState: (state: ImportState) => boolean,
): Promise<string | null> {
  let state = nothingImported;
  for (const [at, file] of files.entries()) {
    try {
      for await (const { elements, progress } of exportBatches(file)) {
        const next = await importBatch(elements, state);
        if (typeof next === 'string') return next;
        state = { ...next, progress: (at + progress) / files.length };
        if (!onState(state)) return state.progress < 1 ? texts.get().stopped : null;
      }
    } catch (error) {
      return reasonOf(error);
    }
  }
  return null;
}

/** Returns the reason if the batch is not imported. */
async function importBatch(elements: readonly JsonElement[], state: ImportState): Promise<ImportState | string> {
  const conversations = elements.flatMap((element) => ('bytes' in element ? element.bytes : []));
  const refused = elements.flatMap((element) => ('refusal' in element ? element.refusal.toUpperCase() : []));
  const known = { ...state, refused: refused.reduce((counts, reason) => added(counts, reason, 1), state.refused) };
  if (conversations.length === 0) return known;
  const uploaded = await uploadFile(fileOf(conversations));
  if ('problem' in uploaded) return uploaded.problem;
  const outcome = await runMutation(importMutation, { attachmentId: uploaded.id });
  if (!outcome.ok) return outcome.message;
  const { value } = outcome;
  return {
    ...known,
    imported: known.imported + value.imported,
    existing: known.existing + value.existing,
    refused: value.refused.reduce((counts, { reason, count }) => added(counts, reason, count), known.refused),
    leftOut: value.leftOut.reduce((counts, { kind, count }) => added(counts, kind, count), known.leftOut),
  };
}

function added(counts: Readonly<Record<string, number>>, name: string, more: number): Record<string, number> {
  return { ...counts, [name]: (counts[name] ?? 0) + more };
}

function fileOf(conversations: readonly Uint8Array<ArrayBuffer>[]): File {
  const [start, comma, end] = ['[', ',', ']'].map((sign) => new TextEncoder().encode(sign)) as Signs;
  const parts = conversations.flatMap((json, at) => (at === 0 ? [start, json] : [comma, json]));
  return new File([joined([...parts, end])], 'conversations.json', { type: 'application/json' });
}

type Signs = [start: Uint8Array, comma: Uint8Array, end: Uint8Array];

function reasonOf(error: unknown): string {
  if (error instanceof ZipError) return texts.get().archive;
  if (error instanceof ExportTooLargeError) return texts.get().large;
  if (error instanceof NoJsonError || error instanceof DOMException) return texts.get().noExport;
  throw error;
}
