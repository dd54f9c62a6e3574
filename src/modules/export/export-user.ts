/**
 * Everything that Skein stores about one person, as JSON Lines and files, for the operator. It is read page by page, so that
 * memory does not grow with it.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { AnswerLimits } from '../../builder.js';
import { auditExport } from '../identity/audit/audit-log.js';
import { ProvisionError } from '../identity/provision.js';
import { type ExportedRecord, type ExportPosition, readExportPage } from './export-page.js';

/** How many records of each type were written. */
export type ExportCounts = Record<string, number>;

const pageSize = 200;

/** A command has its memory to itself. A page is bounded all the same. */
const unlimited: AnswerLimits = {
  loadable: Number.MAX_SAFE_INTEGER,
  load: () => undefined,
  makeRoomFor: () => Promise.resolve(),
};

export interface ExportOptions {
  userId: string;
  /** The folder to create. */
  folder: string;
  onRecords?: (more: number) => void;
  /** Ends the export before its next record, with an error. */
  signal: AbortSignal;
}

/**
 * Writes `data.jsonl`, each line with its `type`, and a file for each attachment to a new folder, which only its owner may
 * read. Fails if the folder exists.
 */
export async function exportUser(
  database: PrismaClient,
  { userId, folder, onRecords, signal }: ExportOptions,
): Promise<ExportCounts> {
  await mkdir(folder, { mode: 0o700 });
  await mkdir(join(folder, 'attachments'), { mode: 0o700 });
  await auditExport(database, { userId, actorId: null });
  const counts: ExportCounts = {};
  const lines = async function* () {
    for await (const { type, record } of recordsOf(database, userId)) {
      throwIfStopped(signal);
      counts[type] = (counts[type] ?? 0) + 1;
      onRecords?.(1);
      const file = type === 'attachment' ? await writeContent(database, record, folder) : {};
      yield `${JSON.stringify({ type, ...record, ...file })}\n`;
    }
  };
  const output = createWriteStream(join(folder, 'data.jsonl'), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(lines(), { objectMode: false }), output);
  throwIfStopped(signal);
  return counts;
}

function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new ProvisionError('It was stopped, and nothing was written.');
}

async function* recordsOf(database: PrismaClient, userId: string): AsyncGenerator<ExportedRecord, void, void> {
  let after: ExportPosition | null = null;
  for (let isWhole = false; !isWhole; ) {
    const request = { source: { database, answer: unlimited }, userId };
    const page = await readExportPage(request, { after, most: pageSize });
    yield* page.records;
    isWhole = !page.hasMore;
    after = page.records.at(-1) ?? after;
  }
}

/** Writes the content of an attachment, if it was uploaded. One at a time: each has up to 10 MiB. */
async function writeContent(database: PrismaClient, record: object, folder: string): Promise<{ file: string | null }> {
  const { id } = record as { id: string };
  const stored = await database.attachment.findUnique({ where: { id }, select: { content: true } });
  if (!stored?.content) return { file: null };
  const file = `attachments/${id}`;
  await writeFile(join(folder, file), stored.content, { flag: 'wx', mode: 0o600, flush: true });
  return { file };
}
