/** What is known of a file before it is uploaded. */
import { defineTexts } from '../../language/texts.js';

const texts = defineTexts('conversation/composer/file-types', {
  cutOff: 'The upload was cut off. Attach the file again.',
});

/** Texts that systems give many types to, or that of a video, as to TypeScript. */
const plainTexts =
  'bat c cfg cpp cs diff go htm html ini ipynb java js jsonl jsx kt log lua php pl ps1 py r rb rs rst scala sh sql srt svg swift tex toml ts tsx vue xml yaml yml';

const typesByEnding: Record<string, string> = {
  ...Object.fromEntries(plainTexts.split(' ').map((ending) => [ending, 'text/plain'])),
  ...{ md: 'text/markdown', csv: 'text/csv', json: 'application/json' },
};

/** The file types that the service accepts, for the file picker. */
export const acceptedTypes = [
  'image/png,image/jpeg,image/gif,image/webp,application/pdf,text/*,application/json',
  ...Object.keys(typesByEnding).map((ending) => `.${ending}`),
].join();

/**
 * The ending counts more than what the browser says, which repeats the system: Windows calls CSV files those of Excel. The service
 * takes any other text, such as source code, as a plain one.
 */
export function mediaTypeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const known = typesByEnding[name.split('.').pop()?.toLowerCase() ?? ''];
  return known ?? (type === '' || type.startsWith('text/') ? 'text/plain' : type);
}

/** Said of a file that did not reach the service as a whole. */
export function cutOff(): string {
  return texts.get().cutOff;
}
