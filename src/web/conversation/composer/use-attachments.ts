/** The files of the draft of a place, for components. They outlive the component that shows them. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useViewer } from '../../sign-in/session.js';
import { DraftAttachments, type DraftFile, type UploadedFile } from './draft-attachments.js';
import { draftPrefix, onDraftsForgotten } from './use-draft.js';

/** The files that are shown, uploading or being sent. */
const open = new Map<string, DraftAttachments>();

/** The files whose upload is complete. */
export function uploadedOf(files: readonly DraftFile[]): UploadedFile[] {
  return files.flatMap(({ id, name }) => (id ? [{ id, name }] : []));
}

export function useAttachments(place: string) {
  const key = `${draftPrefix(useViewer().sub)}files.${place}`;
  const [draft] = useState(() => open.get(key) ?? new DraftAttachments(key));
  useEffect(() => {
    open.set(key, draft);
    addEventListener('storage', draft.follow);
    return () => {
      removeEventListener('storage', draft.follow);
      if (!draft.isNeeded && open.get(key) === draft) open.delete(key);
    };
  }, [draft, key]);
  const { files, surplus } = useSyncExternalStore(draft.subscribe, draft.getState);
  const isUploading = files.some(({ id, problem }) => !id && !problem);
  const { add, remove, lift, settle, giveBack } = draft;
  return { files, surplus, isUploading, add, remove, lift, settle, giveBack };
}

onDraftsForgotten(() => {
  for (const draft of open.values()) draft.forget();
  open.clear();
});
