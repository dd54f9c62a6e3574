/** The file of trusted documents: a JSON object that maps ids to documents, as common code generators write it. */
import { readFileSync } from 'node:fs';

/** Reads the file. Throws an `Error` that tells the operator what is wrong with it. */
export function readDocumentList(file: string): ReadonlyMap<string, string> {
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof list !== 'object' || list === null || Array.isArray(list)) {
    throw new Error('the file must contain a JSON object that maps ids to documents');
  }
  return new Map(
    Object.entries(list).map(([id, text]) => {
      if (typeof text !== 'string') throw new Error(`the document "${id}" is not a string`);
      return [id, text];
    }),
  );
}
