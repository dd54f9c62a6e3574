/** Exports of any size and form are split into conversations, and what is broken leaves the others whole. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExportBatch, exportBatches } from '../../../src/modules/import/file/export-batches.js';
import { importLimits } from '../../../src/modules/import/file/import-limits.js';
import { JsonElements } from '../../../src/modules/import/file/json-elements.js';
import { exportBytes, zipOf } from '../../modules/import/exports.js';

async function batches(...parts: BlobPart[]): Promise<ExportBatch[]> {
  const found: ExportBatch[] = [];
  for await (const batch of exportBatches(new Blob(parts))) found.push(batch);
  return found;
}

function jsonOf(found: readonly ExportBatch[]): string[] {
  const decoder = new TextDecoder();
  const elements = found.flatMap((batch) => batch.elements);
  return elements.flatMap((element) => ('bytes' in element ? decoder.decode(element.bytes) : []));
}

function values(found: readonly ExportBatch[]): unknown[] {
  return jsonOf(found).map((json) => JSON.parse(json) as unknown);
}

const refused = (found: readonly ExportBatch[]) =>
  found.flatMap(({ elements }) => elements.flatMap((element) => ('refusal' in element ? element.refusal : [])));

describe('the batches of an export', () => {
  it('have the elements of any array, wherever the pieces of the file end', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 9 }), fc.boolean(), (list, length, isSpaced) => {
        const bytes = new TextEncoder().encode(`\ufeff ${JSON.stringify(list, null, isSpaced ? 2 : 0)} `);
        const elements = new JsonElements(importLimits);
        const found = [];
        for (let at = 0; at < bytes.length; at += length) found.push(...elements.push(bytes.subarray(at, at + length)));
        found.push(...elements.end());
        const read = found.map((element) => ('bytes' in element ? new TextDecoder().decode(element.bytes) : null));
        expect(read.map((json) => JSON.parse(json ?? 'null') as unknown)).toEqual(JSON.parse(JSON.stringify(list)));
      }),
    );
  });

  it('have an object as their only conversation', async () => {
    const found = await batches(exportBytes('libreChat'));
    expect(values(found)).toEqual([JSON.parse(exportBytes('libreChat').toString())]);
  });

  it('are small, tell how much has been read, and leave out what is too large by itself', async () => {
    const { conversationBytes, batchBytes } = importLimits;
    const small = `"${'x'.repeat(batchBytes / 2)}"`;
    const large = `"${'x'.repeat(conversationBytes)}"`;
    const found = await batches(`[${[small, large, small, '"last"'].join(',')}]`);
    expect(found.map(({ elements }) => elements.length)).toEqual([2, 2]);
    expect(refused(found)).toEqual(['too_large']);
    const progress = found.map((batch) => batch.progress);
    expect(progress).toEqual(progress.toSorted());
    expect(progress.at(-1)).toBe(1);
    const many = await batches(`[${'{},'.repeat(importLimits.batchConversations)}{}]`);
    expect(many.map(({ elements }) => elements.length)).toEqual([importLimits.batchConversations, 1]);
  });

  it('leave out what would take much memory or a deep stack', async () => {
    const { values: most, depth } = importLimits;
    const bombs = [`[${'{},'.repeat(most)}{}]`, '['.repeat(depth + 1) + ']'.repeat(depth + 1)];
    const found = await batches(`[${bombs.join(',')},"last"]`);
    expect([refused(found), values(found)]).toEqual([['too_large', 'too_large'], ['last']]);
  });

  it('leave out what is broken or cut off', async () => {
    const found = await batches('[{"a": 1}}, {"b": 2}, {"c": [3');
    expect(jsonOf(found)).toEqual(['{"a": 1}}', ' {"b": 2}']);
    expect(refused(found)).toEqual(['malformed']);
    const noText = await batches('["', Uint8Array.of(0xff), '", {"a": "', Uint8Array.of(0), '"}, "last"]');
    expect([refused(noText), values(noText)]).toEqual([['malformed', 'malformed'], ['last']]);
  });

  it('come from an archive too, whose other files are not read', async () => {
    const archive = zipOf([
      { name: 'chat.html', content: Buffer.from('<html>') },
      { name: 'conversations-001.json', content: Buffer.from('["second"]'), isStored: true },
      { name: 'conversations-000.json', content: exportBytes('chatGpt') },
      { name: 'user.json', content: Buffer.from('["nobody"]') },
    ]);
    const found = values(await batches(archive));
    expect(found).toEqual([...(JSON.parse(exportBytes('chatGpt').toString()) as unknown[]), 'second']);
  });

  it('are refused with a reason where there are none', async () => {
    const other = zipOf([{ name: 'photo.json', content: Buffer.from('[]') }]);
    const damaged = zipOf([{ name: 'conversations.json', content: exportBytes('chatGpt') }]);
    damaged.fill(0xff, 60, 90);
    const cases: [BlobPart, string][] = [
      [damaged, 'ZipError'],
      ['<html>', 'NoJsonError'],
      ['', 'NoJsonError'],
      [other, 'ZipError'],
      [other.subarray(0, -1), 'ZipError'],
      ['PK\u0003\u0004', 'ZipError'],
    ];
    for (const [content, name] of cases) {
      const error: unknown = await batches(content).catch((thrown: unknown) => thrown);
      expect([content, (error as Error).constructor.name]).toEqual([content, name]);
    }
  });
});
