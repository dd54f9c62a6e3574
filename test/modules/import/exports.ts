/** The exports of the fixtures, whole and as the JSON of each conversation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';

const names = {
  chatGpt: 'chatgpt-conversations.json',
  openWebUi: 'open-webui-chats.json',
  libreChat: 'librechat-conversation.json',
} as const;

export type ExportName = keyof typeof names;

export function exportPath(name: ExportName): string {
  return join(import.meta.dirname, 'fixtures', names[name]);
}

export function exportBytes(name: ExportName): Buffer<ArrayBuffer> {
  return readFileSync(exportPath(name));
}

export function conversationsIn(name: ExportName): unknown[] {
  const value: unknown = JSON.parse(exportBytes(name).toString());
  return Array.isArray(value) ? value : [value];
}

export function jsonOf(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

interface ZippedFile {
  name: string;
  content: Buffer;
  isStored?: boolean;
}

/** An archive as the usual programs write it. */
export function zipOf(files: readonly ZippedFile[]): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let start = 0;
  for (const { name, content, isStored = false } of files) {
    const data = isStored ? content : deflateRawSync(content);
    const method = isStored ? 0 : 8;
    const file = Buffer.alloc(30);
    file.writeUInt32LE(0x04034b50, 0);
    file.writeUInt16LE(method, 8);
    file.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(start, 42);
    directory.push(entry, Buffer.from(name));
    parts.push(file, Buffer.from(name), data);
    start += file.length + Buffer.byteLength(name) + data.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...parts, entries, end]);
}
