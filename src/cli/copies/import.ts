/** `import` reads what other services exported, for one user. Standard output has what became of it. */
import { openAsBlob } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { findUser, ProvisionError } from '../../modules/identity/provision.js';
import { ExportTooLargeError, exportBatches } from '../../modules/import/file/export-batches.js';
import type { ImportOmission, ImportRefusal } from '../../modules/import/file/import-limits.js';
import { NoJsonError } from '../../modules/import/file/json-elements.js';
import { ZipError } from '../../modules/import/file/zip-files.js';
import {
  emptySummary,
  type ImportOwner,
  type ImportSummary,
  importConversations,
} from '../../modules/import/import-conversations.js';
import { value } from '../command-line.js';
import { withDatabase } from '../with-database.js';
import { counted, showLine } from './progress.js';

export const importCommand = new Command('import')
  .description('Import conversations of ChatGPT, Open WebUI or LibreChat as private threads of a user.')
  .argument('<file...>', 'Exports: JSON, or the archive of ChatGPT', (file, files: string[] = []) => [
    ...files,
    value(file),
  ])
  .requiredOption('--email <address>', 'E-mail address of the user', value)
  .action(async (files, { email }) => {
    await withDatabase(async (database) => {
      const { id: userId, organizationId } = await findUser(database, email);
      const { show, end } = showLine();
      const summary = emptySummary();
      const onProgress = (file: string, progress: number) =>
        show(() => `${file}: ${Math.floor(progress * 100)} %, ${counted(summary.imported, 'conversation')}`);
      try {
        for (const file of files) await importFile(database, { userId, organizationId }, { file, summary, onProgress });
      } finally {
        end();
        console.log(describe(summary));
      }
    });
  });

interface FileImport {
  file: string;
  /** What is added to. */
  summary: ImportSummary;
  onProgress: (file: string, progress: number) => void;
}

/** Throws a `ProvisionError` for what is no export. What was imported before that stays. */
export async function importFile(
  database: PrismaClient,
  owner: ImportOwner,
  { file, summary, onProgress }: FileImport,
): Promise<void> {
  try {
    for await (const { elements, progress } of exportBatches(await openAsBlob(file))) {
      await importConversations(database, owner, { elements, summary });
      onProgress(file, progress);
    }
  } catch (error) {
    throw explained(file, error);
  }
}

function explained(file: string, error: unknown): unknown {
  if (error instanceof NoJsonError)
    return new ProvisionError(`${file} is no export: it is neither JSON nor an archive.`);
  if (error instanceof ZipError) return new ProvisionError(`${file}: ${error.message}`);
  if (error instanceof ExportTooLargeError) return new ProvisionError(`${file} is too large. Import it in parts.`);
  const { code, name, path } = Object(error) as { code?: unknown; name?: unknown; path?: unknown };
  // Node says by the path which file it could not open, and before Node 26 by the argument.
  const isUnreadable = path === file || code === 'ERR_INVALID_ARG_VALUE' || name === 'NotReadableError';
  return isUnreadable ? new ProvisionError(`${file} cannot be read. Check its name.`) : error;
}

const refusals: Record<ImportRefusal, string> = {
  malformed: 'damaged or in an unknown format',
  too_large: 'too large',
  empty: 'without text',
};

const omissions: Record<ImportOmission, string> = {
  branch: 'messages of other branches',
  system: 'instructions',
  tool: 'calls of tools',
  reasoning: 'thoughts of models',
  file: 'files',
  empty: 'empty messages',
  too_long: 'messages that are too long',
};

/** Three lines at most: what became of the conversations, why some were left out, and what was left out of the others. */
export function describe({ imported, existing, refused, leftOut }: ImportSummary): string {
  const total = Object.values(refused).reduce((sum, count) => sum + count, 0);
  const list = <Name extends string>(counts: Partial<Record<Name, number>>, words: Record<Name, string>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${words[name as Name]}`)
      .join(', ');
  return [
    `Imported ${counted(imported, 'conversation')}, ${existing} already there, ${total} left out.`,
    ...(total > 0 ? [`Left out: ${list(refused, refusals)}.`] : []),
    ...(Object.keys(leftOut).length > 0 ? [`Not in the threads: ${list(leftOut, omissions)}.`] : []),
  ].join('\n');
}
