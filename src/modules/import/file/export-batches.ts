/**
 * Reads a file that another service exported, as batches of conversations. It is read as a stream, so no more of it is in memory
 * than one batch, in the browser and on the command line.
 */
import { type ImportRefusal, importLimits } from './import-limits.js';
import { type JsonElement, JsonElements } from './json-elements.js';
import { type ExportPart, isZip, partsOfZip } from './zip-files.js';

export interface ExportBatch {
  /** The JSON of each conversation. */
  conversations: Uint8Array<ArrayBuffer>[];
  /** Conversations that are left out already. */
  refused: ImportRefusal[];
  /** How much of the file has been read, from 0 to 1. */
  progress: number;
}

/** An export that is larger than `exportBytes`. */
export class ExportTooLargeError extends Error {}

/** Throws a `NoJsonError`, a `ZipError` or an `ExportTooLargeError`, perhaps after some batches. */
export async function* exportBatches(file: Blob): AsyncGenerator<ExportBatch, void, void> {
  const parts = (await isZip(file)) ? await partsOfZip(file) : [{ bytes: file, isDeflated: false }];
  const total = parts.reduce((sum, { bytes }) => sum + bytes.size, 0);
  let read = 0;
  let batch = new Batch();
  const onRead = (bytes: number) => {
    read += bytes;
  };
  for await (const element of elementsOf(parts, onRead)) {
    if (batch.isFullWith(element)) {
      yield batch.taken(read / total);
      batch = new Batch();
    }
    batch.add(element);
  }
  if (!batch.isEmpty) yield batch.taken(1);
}

class Batch {
  readonly #conversations: ExportBatch['conversations'] = [];
  readonly #refused: ImportRefusal[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#conversations.length + this.#refused.length === 0;
  }

  isFullWith(element: JsonElement): boolean {
    const bytes = 'bytes' in element ? element.bytes.length : 0;
    const { batchBytes, batchConversations } = importLimits;
    return !this.isEmpty && (this.#bytes + bytes > batchBytes || this.#conversations.length === batchConversations);
  }

  add(element: JsonElement): void {
    if ('refusal' in element) this.#refused.push(element.refusal);
    else {
      this.#conversations.push(element.bytes);
      this.#bytes += element.bytes.length;
    }
  }

  taken(progress: number): ExportBatch {
    return { conversations: this.#conversations, refused: this.#refused, progress };
  }
}

async function* elementsOf(
  parts: readonly ExportPart[],
  onRead: (bytes: number) => void,
): AsyncGenerator<JsonElement, void, void> {
  let unpacked = 0;
  for (const part of parts) {
    const elements = new JsonElements(importLimits);
    for await (const chunk of chunksOf(part, onRead)) {
      unpacked += chunk.length;
      if (unpacked > importLimits.exportBytes) throw new ExportTooLargeError();
      yield* elements.push(chunk);
    }
    yield* elements.end();
  }
}

/** Not every browser can iterate over a stream. */
async function* chunksOf({ bytes, isDeflated }: ExportPart, onRead: (bytes: number) => void) {
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      onRead(chunk.length);
      controller.enqueue(chunk);
    },
  });
  const packed = bytes.stream().pipeThrough(counting);
  const stream: ReadableStream<Uint8Array> = isDeflated
    ? packed.pipeThrough(new DecompressionStream('deflate-raw'))
    : packed;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
