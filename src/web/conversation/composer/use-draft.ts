/**
 * Drafts, kept in this browser per thread. Text that is being sent leaves the field but stays stored until the service has
 * accepted it, so closing the page loses nothing. After leaving the thread and coming back, the field has only text that is
 * not being sent.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Store } from '../../ui/state/store.js';

const prefix = 'skein.draft.';

/** Drafts that are shown or being sent. */
const open = new Map<string, Draft>();

class Draft extends Store<{ text: string }> {
  #sending = 0;
  #isShown = false;
  #isForgotten = false;

  constructor(private readonly key: string) {
    super({ text: localStorage.getItem(key) ?? '' });
  }

  /** Marks the draft as shown. Returns a function that ends that. */
  readonly show = (): (() => void) => {
    this.#isShown = true;
    open.set(this.key, this);
    return () => {
      this.#isShown = false;
      this.#close();
    };
  };

  readonly write = (text: string): void => {
    this.set({ text });
    if (text && !this.#isForgotten) localStorage.setItem(this.key, text);
    else localStorage.removeItem(this.key);
  };

  /** Empties the field but keeps the stored text. */
  readonly lift = (): void => {
    this.#sending += 1;
    this.set({ text: '' });
  };

  /** Removes the stored text that was sent, but not text written since. */
  readonly settle = (sent: string): void => {
    this.#land();
    if (localStorage.getItem(this.key) === sent) localStorage.removeItem(this.key);
  };

  /** Restores text that was not accepted, in front of text written since. */
  readonly giveBack = (sent: string): void => {
    this.#land();
    this.write([sent, this.getState().text].filter(Boolean).join('\n'));
  };

  /** Called at sign-out: text that is restored later is not stored either. */
  readonly forget = (): void => {
    this.#isForgotten = true;
  };

  #land(): void {
    this.#sending = Math.max(0, this.#sending - 1);
    this.#close();
  }

  #close(): void {
    if (!this.#isShown && this.#sending === 0 && open.get(this.key) === this) open.delete(this.key);
  }
}

export interface DraftText extends Pick<Draft, 'write' | 'lift' | 'settle' | 'giveBack'> {
  text: string;
}

export function useDraft(place: string): DraftText {
  const key = prefix + place;
  const [draft] = useState(() => open.get(key) ?? new Draft(key));
  useEffect(() => draft.show(), [draft]);
  const { text } = useSyncExternalStore(draft.subscribe, draft.getState);
  const { write, lift, settle, giveBack } = draft;
  return { text, write, lift, settle, giveBack };
}

/** Removes all drafts at sign-out, so that no other user of this browser can read them. */
export function forgetDrafts(): void {
  for (const draft of open.values()) draft.forget();
  open.clear();
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
}
