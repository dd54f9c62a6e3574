import { value } from '../command-line.js';

/** The name of a file; a dash alone is standard output or standard input. */
export const standardStream = '-';

export function fileName(text: string): string {
  return text === standardStream ? text : value(text);
}
