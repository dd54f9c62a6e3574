/** Announces a file to the service and uploads its content. */
import { deliberateHeaders, runMutation } from '../../api/client.js';
import { uploadMutation } from '../../api/posting-documents.js';

const typesByEnding: Record<string, string> = { md: 'text/markdown', csv: 'text/csv', json: 'application/json' };

/** The file types that the service accepts, for the file picker. */
export const acceptedTypes =
  'image/png,image/jpeg,image/gif,image/webp,application/pdf,text/plain,text/markdown,text/csv,application/json,.md';

/** Messages for refused files, by the input field that the service names. */
const refusals: Record<string, string> = {
  mediaType: 'This file type is not supported. Attach an image, PDF, text, Markdown, CSV or JSON file.',
  size: 'The file is empty or larger than 10 MB. Attach a smaller file.',
};
const misfit = 'The content of the file does not match its type. Text files must be encoded as UTF-8.';

export function mediaTypeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  return type || typesByEnding[name.split('.').pop()?.toLowerCase() ?? ''] || 'text/plain';
}

/** The ID of the attachment, or the reason why it is refused. */
export async function uploadFile(file: File): Promise<{ id: string } | { problem: string }> {
  const mediaType = mediaTypeOf(file);
  const announced = await runMutation(uploadMutation, { input: { name: file.name, mediaType, size: file.size } });
  if (!announced.ok) return { problem: refusals[announced.problems[0]?.field ?? ''] ?? announced.message };
  const { uploadUrl, attachment } = announced.value;
  // The URL has the public origin of the service, which may differ from the origin of this page.
  const { pathname, search } = new URL(uploadUrl, location.href);
  const sent = await fetch(pathname + search, {
    method: 'PUT',
    headers: { ...deliberateHeaders, 'Content-Type': mediaType },
    body: file,
  }).catch(() => null);
  if (sent?.ok) return { id: attachment.id };
  return { problem: sent?.status === 400 ? misfit : 'The upload failed. Remove the file, then attach it again.' };
}
