/**
 * Cursors of an export: the entry of the audit log that its first page wrote, and the record after which it goes on. So no page
 * is read of which the audit log does not know.
 */
import { InvalidCursorError } from '../../errors.js';
import { isId } from '../../ids.js';
import { decodeCursorText, encodeCursorText } from '../cursor-text.js';
import type { ExportPosition } from './export-page.js';
import { type RecordType, recordTypes } from './record-lists.js';

export interface ExportCursor extends ExportPosition {
  /** Id of the entry in the audit log. */
  exportId: string;
}

export function encodeExportCursor({ exportId, type, key }: ExportCursor): string {
  return encodeCursorText(`${exportId}|${type}|${key}`);
}

/** Throws an `InvalidCursorError` for any text that `encodeExportCursor` cannot have produced. */
export function decodeExportCursor(cursor: string): ExportCursor {
  const [, exportId = '', type = '', key = ''] = form.exec(decodeCursorText(cursor) ?? '') ?? [];
  if (!isId('aud', exportId) || !isRecordType(type)) throw new InvalidCursorError();
  return { exportId, type, key };
}

/** The key of a message is its thread and its place in it, any other key is an id. */
const form = /^(\w+)\|(\w+)\|(\w+(?: \d{1,9})?)$/;

function isRecordType(type: string): type is RecordType {
  return recordTypes.some((known) => known === type);
}
