/**
 * What was written and not sent, kept in this browser for each thread. What is being sent leaves the field and stays kept, until
 * it was accepted: a page that is closed meanwhile loses nothing, and whoever leaves the thread and comes back finds in the
 * field what is not on its way.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Store } from '../../ui/state/store.js';

const prefix = 'skein.draft.';

/** Those that are shown, or on their way. */
const open = new Map<string, Draft>();

class Draft extends Store<{ text: string }> {
  #sending = 0;
  #isShown = false;
  #isForgotten = false;

  constructor(private readonly key: string) {
    super({ text: localStorage.getItem(key) ?? '' });
  }

  /** Shows it in a field. Returns what ends that. */
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

  /** Empties the field alone. */
  readonly lift = (): void => {
    this.#sending += 1;
    this.set({ text: '' });
  };

  /** Forgets what was sent; keeps what was written since. */
  readonly settle = (sent: string): void => {
    this.#land();
    if (localStorage.getItem(this.key) === sent) localStorage.removeItem(this.key);
  };

  /** Puts what was not accepted before what was written since. */
  readonly giveBack = (sent: string): void => {
    this.#land();
    this.write([sent, this.getState().text].filter(Boolean).join('\n'));
  };

  /** For whoever signs out: what comes back after that is not kept either. */
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

/** For whoever signs out: nobody else shall read them here. */
export function forgetDrafts(): void {
  for (const draft of open.values()) draft.forget();
  open.clear();
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
}
