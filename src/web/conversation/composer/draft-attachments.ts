/**
 * The files of a draft. Each is uploaded as soon as it is added, so that sending does not wait. The IDs of uploaded files are
 * kept in this browser with the text of the draft, until the service has accepted the message; of other files the names are, to
 * say after a reload that they are missing. The service removes unsent files after a day, so older ones are not
 * restored.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { maximumAttachments } from '../../../contract.js';
import { newIdempotencyKey } from '../../api/idempotency-key.js';
import { useViewer } from '../../sign-in/session.js';
import { Store } from '../../ui/state/store.js';
import { storeIfRoom } from '../../ui/state/store-if-room.js';
import { cutOff, mediaTypeOf } from './file-types.js';
import { draftPrefix, onDraftsForgotten } from './use-draft.js';

export interface UploadedFile {
  id: string;
  name: string;
}

export interface DraftFile {
  key: string;
  name: string;
  mediaType: string;
  id: string | null;
  problem: string | null;
}

export interface DraftAttachmentsState {
  files: readonly DraftFile[];
  /** The names of files that found no room. */
  surplus: readonly string[];
}

interface StoredFile extends Omit<DraftFile, 'key'> {
  /** When it was uploaded. */
  atMs: number;
}

/** Less than the day after which the service removes unsent files. */
const keptMs = 23 * 3_600_000;

class DraftAttachments extends Store<DraftAttachmentsState> {
  /** Files of a message that is on its way. */
  #lifted: readonly DraftFile[] = [];
  readonly #uploadedAtMs = new Map<string, number>();
  #isForgotten = false;

  constructor(private readonly storageKey: string) {
    super({ files: [], surplus: [] });
    this.set({ files: this.#restored(localStorage.getItem(storageKey)) });
  }

  /** Shows what became of the files in another tab, unless this tab has others. */
  readonly follow = ({ key, oldValue, newValue }: StorageEvent): void => {
    const { files } = this.getState();
    if (key !== this.storageKey || idsOf(files) !== idsOf(storedIn(oldValue))) return;
    // What is uploading in another tab is of no use here.
    const uploaded = this.#restored(newValue).filter(({ id }) => id);
    this.set({ files: [...uploaded, ...files.filter(({ id }) => !id)] });
  };

  /** Whether it holds anything that is not stored. */
  get isNeeded(): boolean {
    return this.#lifted.length > 0 || this.getState().files.some(({ id }) => !id);
  }

  readonly add = (chosen: Iterable<File>): void => {
    const all = [...chosen];
    const accepted = this.getState().files.filter(({ problem }) => !problem);
    const room = Math.max(0, maximumAttachments - accepted.length);
    this.set({ surplus: all.slice(room).map(({ name }) => name) });
    for (const file of all.slice(0, room)) void this.#upload(file);
  };

  readonly remove = (key: string): void => {
    this.set({ files: this.getState().files.filter((file) => file.key !== key), surplus: [] });
    this.#save();
  };

  /** Takes the files out in order to send them. They stay stored until `settle` or `giveBack`. */
  readonly lift = (): readonly DraftFile[] => {
    const { files } = this.getState();
    this.#lifted = [...this.#lifted, ...files];
    this.set({ files: [], surplus: [] });
    return files;
  };

  /** Called when the service has accepted the files. */
  readonly settle = (lifted: readonly DraftFile[]): void => {
    this.#lifted = this.#lifted.filter((file) => !lifted.includes(file));
    this.#save();
  };

  /** Restores files of a message that was not accepted. */
  readonly giveBack = (lifted: readonly DraftFile[]): void => {
    this.set({ files: [...lifted, ...this.getState().files] });
    this.settle(lifted);
  };

  /** Called at sign-out: files that are restored later are not stored either. */
  forget(): void {
    this.#isForgotten = true;
  }

  async #upload(file: File): Promise<void> {
    const { name } = file;
    const key = newIdempotencyKey();
    const added = { key, name, mediaType: mediaTypeOf(file), id: null, problem: null };
    this.set({ files: [...this.getState().files, added] });
    this.#save();
    const outcome = await upload(file);
    if ('id' in outcome) this.#uploadedAtMs.set(outcome.id, Date.now());
    const { files } = this.getState();
    this.set({ files: files.map((other) => (other.key === key ? { ...other, ...outcome } : other)) });
    this.#save();
  }

  #restored(stored: string | null): DraftFile[] {
    const files = storedIn(stored);
    for (const { id, atMs } of files) if (id) this.#uploadedAtMs.set(id, atMs);
    return files.map(restored);
  }

  #save(): void {
    if (this.#isForgotten) return;
    const files = [...this.#lifted, ...this.getState().files];
    const stored = files.map(({ id, name, mediaType, problem }): StoredFile => {
      const atMs = this.#uploadedAtMs.get(id ?? '') ?? Date.now();
      return { id, name, mediaType, problem, atMs };
    });
    if (stored.length > 0) storeIfRoom(this.storageKey, JSON.stringify(stored));
    else localStorage.removeItem(this.storageKey);
  }
}

/** The files that are shown, uploading or being sent. */
const open = new Map<string, DraftAttachments>();

/** The files whose upload is complete. */
export function uploadedOf(files: readonly DraftFile[]): UploadedFile[] {
  return files.flatMap(({ id, name }) => (id ? [{ id, name }] : []));
}

/** The files of the draft of a place, for components. They outlive the component that shows them. */
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

async function upload(file: File): Promise<{ id: string } | { problem: string }> {
  const module = await import('./upload-file.js').catch(() => null);
  return module ? module.uploadFile(file) : { problem: cutOff() };
}

/** An upload that was going on ended with the page. */
function restored({ id, name, mediaType, problem }: StoredFile): DraftFile {
  return { key: id ?? newIdempotencyKey(), id, name, mediaType, problem: id ? null : (problem ?? cutOff()) };
}

function idsOf(files: readonly Pick<DraftFile, 'id'>[]): string {
  return files.flatMap(({ id }) => id ?? []).join();
}

function storedIn(stored: string | null): StoredFile[] {
  if (!stored) return [];
  const files: StoredFile[] = JSON.parse(stored);
  return files.filter(({ atMs }) => Date.now() - atMs < keptMs);
}
