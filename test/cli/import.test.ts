/** `skein import`, as a function on a database of its own, and once as the program. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { describe as described, importFile } from '../../src/cli/copies/import.js';
import { createOrganization, createUser } from '../../src/modules/identity/provision.js';
import { emptySummary, type ImportOwner } from '../../src/modules/import/import-conversations.js';
import { exportBytes, exportPath, zipOf } from '../modules/import/exports.js';
import { openedDatabase } from '../support/database/opened-database.js';
import { it } from '../support/fixtures/folder.js';
import { skein } from './program.js';

const storage = openedDatabase();

async function person(name: string): Promise<ImportOwner> {
  const { slug } = await createOrganization(storage.client, { slug: name, name });
  const user = { organizationSlug: slug, email: `${name}@acme.test`, name, role: 'member' as const };
  const { id: userId, organizationId } = await createUser(storage.client, user);
  return { userId, organizationId };
}

describe('skein import', () => {
  it('imports an archive, tells how far it is, and says what it left out', async ({ folder }) => {
    const owner = await person('ada');
    const conversations = Array.from({ length: 250 }, (_, at) => ({
      conversation_id: `c${at}`,
      mapping: {
        u: { message: { author: { role: 'user' }, content: { content_type: 'text', parts: [`Tea ${at}`] } } },
      },
    }));
    const file = join(folder, 'export.zip');
    const archive = zipOf([
      { name: 'conversations-000.json', content: exportBytes('chatGpt') },
      { name: 'conversations-001.json', content: Buffer.from(JSON.stringify(conversations)) },
      { name: 'tea.png', content: Buffer.from('no image') },
    ]);
    await writeFile(file, archive);
    const summary = emptySummary();
    const told: number[] = [];
    await importFile(storage.client, owner, { file, summary, onProgress: (_file, progress) => told.push(progress) });
    expect([told.length, told.at(-1), told]).toEqual([3, 1, told.toSorted()]);
    expect(described(summary)).toBe(
      'Imported 252 conversations, 0 already there, 2 left out.\n' +
        'Left out: 1 damaged or in an unknown format, 1 without text.\n' +
        'Not in the threads: 1 instructions, 1 files, 2 calls of tools, 1 thoughts of models, 1 messages of other branches.',
    );
    expect(await storage.client.thread.count({ where: { ownerId: owner.userId, isPrivate: true } })).toBe(252);
  });

  it('refuses what is no export, with what to do', async ({ folder }) => {
    const owner = await person('bob');
    const cases: [string | Buffer | null, string][] = [
      ['Dear diary', 'is no export: it is neither JSON nor an archive.'],
      [zipOf([{ name: 'tea.json', content: Buffer.from('[]') }]), ': The archive has no conversations.json.'],
      [null, 'cannot be read. Check its name.'],
    ];
    for (const [content, message] of cases) {
      const file = join(folder, `diary-${message.length}`);
      if (content !== null) await writeFile(file, content);
      const importing = importFile(storage.client, owner, {
        file,
        summary: emptySummary(),
        onProgress: () => undefined,
      });
      await expect(importing).rejects.toThrow(`${file}${message.startsWith(':') ? '' : ' '}${message}`);
    }
    const importing = importFile(storage.client, owner, {
      file: folder,
      summary: emptySummary(),
      onProgress: () => undefined,
    });
    await expect(importing).rejects.toThrow('cannot be read. Check its name.');
  });

  it('takes several files, and skips what is there already', async () => {
    await person('eve');
    const files = [exportPath('libreChat'), exportPath('openWebUi'), exportPath('libreChat')];
    const command = ['import', ...files, '--email', 'eve@acme.test'];
    const { status, stdout, stderr } = await skein(command, { DATABASE_URL: storage.url });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Imported 2 conversations, 1 already there, 1 left out\.\n/);
  });
});
