/**
 * Finds the conversations in the archive that ChatGPT's export is: `conversations.json` or, in large ones, `conversations-000.json`
 * and so on. Only the directory of the archive and these files are read, whatever images are beside them. Archives of more than
 * 4 GiB or 65,534 files, and encrypted ones, are refused.
 */

/** Bytes that hold the JSON of conversations. */
export interface ExportPart {
  bytes: Blob;
  isDeflated: boolean;
}

/** An archive that cannot be read. */
export class ZipError extends Error {}

const signature = { file: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 } as const;
const size = { file: 30, entry: 46, end: 22 } as const;
/** A comment follows the end of the directory. */
const longestEnd = size.end + 0xffff;
const largestDirectory = 64 * 1024 ** 2;
const stored = 0;
const deflated = 8;
const isConversations = /(^|\/)conversations(-\d{1,5})?\.json$/;

export async function isZip(file: Blob): Promise<boolean> {
  const start = await viewOf(file, 0, 4);
  return start.byteLength === 4 && start.getUint32(0, true) === signature.file;
}

/** The conversations of the archive, in the order of their names. Throws a `ZipError` if there are none. */
export async function partsOfZip(file: Blob): Promise<ExportPart[]> {
  const entries = entriesOf(await directoryOf(file)).filter(({ name }) => isConversations.test(name));
  if (entries.length === 0) throw new ZipError('The archive has no conversations.json.');
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Promise.all(sorted.map((entry) => partOf(file, entry)));
}

async function directoryOf(file: Blob): Promise<DataView> {
  const end = await viewOf(file, file.size - longestEnd, file.size);
  for (let at = end.byteLength - size.end; at >= 0; at -= 1) {
    if (end.getUint32(at, true) !== signature.end) continue;
    const [length, start] = [end.getUint32(at + 12, true), end.getUint32(at + 16, true)];
    if (length > largestDirectory || start + length > file.size) break;
    return viewOf(file, start, start + length);
  }
  throw new ZipError('The archive is damaged, or larger than 4 GiB. Unpack it, and import its conversations.json.');
}

interface Entry {
  name: string;
  isEncrypted: boolean;
  method: number;
  length: number;
  start: number;
}

function entriesOf(directory: DataView): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + size.entry <= directory.byteLength; ) {
    if (directory.getUint32(at, true) !== signature.entry) break;
    const [name, extra, comment] = [28, 30, 32].map((offset) => directory.getUint16(at + offset, true)) as Lengths;
    const end = at + size.entry + name;
    if (end > directory.byteLength) break;
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(directory.buffer, directory.byteOffset + at + size.entry, name)),
      isEncrypted: (directory.getUint16(at + 8, true) & 1) === 1,
      method: directory.getUint16(at + 10, true),
      length: directory.getUint32(at + 20, true),
      start: directory.getUint32(at + 42, true),
    });
    at = end + extra + comment;
  }
  return entries;
}

type Lengths = [name: number, extra: number, comment: number];

/** The lengths before the content are those of the file itself, not of the directory. */
async function partOf(file: Blob, { isEncrypted, method, length, start, name }: Entry): Promise<ExportPart> {
  const head = await viewOf(file, start, start + size.file);
  const isReadable = !isEncrypted && (method === stored || method === deflated);
  if (!isReadable || head.byteLength < size.file || head.getUint32(0, true) !== signature.file) {
    throw new ZipError(`The archive has ${name} in a form that cannot be read. Unpack it, and import that file.`);
  }
  const content = start + size.file + head.getUint16(26, true) + head.getUint16(28, true);
  return { bytes: file.slice(content, content + length), isDeflated: method === deflated };
}

async function viewOf(file: Blob, start: number, end: number): Promise<DataView> {
  return new DataView(await file.slice(Math.max(0, start), Math.max(0, end)).arrayBuffer());
}
