/** The files of a message that is being written. Each is uploaded at once, so that sending does not wait. */
import { useState } from 'react';
import { change, deliberateHeaders } from '../api/client.js';
import { uploadMutation } from '../api/posting-documents.js';
import { randomKey } from '../ui/random-key.js';

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

/** What the service takes, for the dialog that chooses files. */
export const acceptedTypes =
  'image/png,image/jpeg,image/gif,image/webp,application/pdf,text/plain,text/markdown,text/csv,application/json,.md';

export function useAttachments() {
  const [files, setFiles] = useState<DraftFile[]>([]);
  const update = (key: string, fields: Partial<DraftFile>) =>
    setFiles((all) => all.map((file) => (file.key === key ? { ...file, ...fields } : file)));
  const add = (chosen: Iterable<File>) => {
    const room = mostFiles - files.length;
    for (const file of [...chosen].slice(0, room)) {
      const key = randomKey();
      setFiles((all) => [...all, { key, name: file.name, id: null, problem: null }]);
      void upload(file).then((fields) => update(key, fields));
    }
  };
  const remove = (key: string) => setFiles((all) => all.filter((file) => file.key !== key));
  const uploaded = files.flatMap(({ id, name }) => (id ? [{ id, name }] : []));
  const isUploading = files.some(({ id, problem }) => !id && !problem);
  return { files, add, remove, clear: () => setFiles([]), uploaded, isUploading };
}

async function upload(file: File): Promise<Partial<DraftFile>> {
  const mediaType = file.type || typesByEnding[file.name.split('.').pop()?.toLowerCase() ?? ''] || 'text/plain';
  const announced = await change(uploadMutation, { input: { name: file.name, mediaType, size: file.size } });
  if (!announced.ok) return { problem: announced.message };
  const { uploadUrl, attachment } = announced.value;
  // The service names itself by its public address; the page may have come by another one.
  const { pathname, search } = new URL(uploadUrl, location.href);
  const sent = await fetch(pathname + search, {
    method: 'PUT',
    headers: { ...deliberateHeaders, 'Content-Type': mediaType },
    body: file,
  }).catch(() => null);
  if (sent?.ok) return { id: attachment.id };
  const refusal: unknown = await sent?.json().catch(() => null);
  const detail = typeof refusal === 'object' && refusal && 'detail' in refusal ? String(refusal.detail) : null;
  return { problem: detail ?? 'The file did not arrive. Remove it, then add it again.' };
}
