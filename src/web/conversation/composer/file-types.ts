/** What is known of a file before it is uploaded. */
import { defineTexts } from '../../language/texts.js';

const texts = defineTexts('conversation/composer/file-types', {
  cutOff: 'The upload was cut off. Attach the file again.',
});

const typesByEnding: Record<string, string> = { md: 'text/markdown', csv: 'text/csv', json: 'application/json' };

/** The file types that the service accepts, for the file picker. */
export const acceptedTypes =
  'image/png,image/jpeg,image/gif,image/webp,application/pdf,text/plain,text/markdown,text/csv,application/json,.md';

/** The ending counts more than what the browser says, which repeats the system: Windows calls CSV files those of Excel. */
export function mediaTypeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  return typesByEnding[name.split('.').pop()?.toLowerCase() ?? ''] ?? (type || 'text/plain');
}

/** Said of a file that did not reach the service as a whole. */
export function cutOff(): string {
  return texts.get().cutOff;
}
