/** The files of a draft. Each is uploaded as soon as it is added, so that sending does not wait. */
import { useState } from 'react';
import { deliberateHeaders, runMutation } from '../../api/client.js';
import { newIdempotencyKey } from '../../api/idempotency-key.js';
import { uploadMutation } from '../../api/posting-documents.js';

export interface UploadedFile {
  id: string;
  name: string;
}

export interface DraftFile {
  key: string;
  name: string;
  id: string | null;
  problem: string | null;
}

const mostFiles = 10;
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

/** The files whose upload is complete. */
export function uploadedOf(files: readonly DraftFile[]): UploadedFile[] {
  return files.flatMap(({ id, name }) => (id ? [{ id, name }] : []));
}

export function useAttachments() {
  const [files, setFiles] = useState<DraftFile[]>([]);
  const update = (key: string, fields: Partial<DraftFile>) =>
    setFiles((all) => all.map((file) => (file.key === key ? { ...file, ...fields } : file)));
  const add = (chosen: Iterable<File>) => {
    const room = mostFiles - files.length;
    for (const file of [...chosen].slice(0, room)) {
      const key = newIdempotencyKey();
      setFiles((all) => [...all, { key, name: file.name, id: null, problem: null }]);
      void upload(file).then((fields) => update(key, fields));
    }
  };
  const remove = (key: string) => setFiles((all) => all.filter((file) => file.key !== key));
  const isUploading = files.some(({ id, problem }) => !id && !problem);
  /** Removes the files in order to send them. `giveBack` restores them if the message is refused. */
  const lift = () => {
    setFiles((all) => all.filter((file) => !files.includes(file)));
    return files;
  };
  const giveBack = (lifted: DraftFile[]) => setFiles((all) => [...lifted, ...all]);
  return { files, add, remove, lift, giveBack, isUploading };
}

async function upload(file: File): Promise<Partial<DraftFile>> {
  const mediaType = file.type || typesByEnding[file.name.split('.').pop()?.toLowerCase() ?? ''] || 'text/plain';
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
