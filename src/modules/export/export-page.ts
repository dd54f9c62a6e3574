/** Pages of everything about one person, across the lists of records. */
import { type ExportRequest, type RecordType, recordLists, recordTypes } from './record-lists.js';

/** The record after which an export goes on. */
export interface ExportPosition {
  type: RecordType;
  key: string;
}

export interface ExportedRecord extends ExportPosition {
  record: object;
}

export interface ExportPage {
  records: ExportedRecord[];
  hasMore: boolean;
}

/** Reads at most `most` records after a position; fewer where their texts are long. */
export async function readExportPage(
  request: ExportRequest,
  { after, most }: { after: ExportPosition | null; most: number },
): Promise<ExportPage> {
  const records: ExportedRecord[] = [];
  for (const type of after ? recordTypes.slice(recordTypes.indexOf(after.type)) : recordTypes) {
    const key = after?.type === type ? after.key : '';
    const { items, hasMore } = await recordLists[type](request, { after: key, most: most - records.length });
    records.push(...items.map((item) => ({ type, ...item })));
    if (hasMore) return { records, hasMore };
  }
  return { records, hasMore: false };
}
