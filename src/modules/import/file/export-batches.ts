/**
 * Reads a file that another service exported, as batches of conversations. It is read as a stream, so no more of it is in memory
 * than one batch, in the browser and on the command line.
 */
import { importLimits } from './import-limits.js';
import { type JsonElement, JsonElements } from './json-elements.js';
import { type ExportPart, isZip, partsOfZip, ZipError } from './zip-files.js';

export interface ExportBatch {
  /** Conversations, as JSON or as the reason why they are left out. */
  elements: JsonElement[];
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
  let elements: JsonElement[] = [];
  let bytes = 0;
  const onRead = (count: number) => {
    read += count;
  };
  for await (const element of elementsOf(parts, onRead)) {
    const more = 'bytes' in element ? element.bytes.length : 0;
    const isFull = bytes + more > importLimits.batchBytes || elements.length === importLimits.batchConversations;
    if (isFull && elements.length > 0) {
      yield { elements, progress: read / total };
      [elements, bytes] = [[], 0];
    }
    elements.push(element);
    bytes += more;
  }
  if (elements.length > 0) yield { elements, progress: 1 };
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
  let isOver = false;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    isOver = true;
  } catch (error) {
    isOver = true;
    // What cannot be unpacked is a fault of the archive; what cannot be read is one of the file.
    if (!isDeflated || error instanceof DOMException) throw error;
    throw new ZipError('The archive is damaged. Download it again.', { cause: error });
  } finally {
    // For a reader that stops early.
    if (!isOver) await reader.cancel();
  }
}
