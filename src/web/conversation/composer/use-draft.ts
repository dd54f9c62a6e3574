/**
 * Drafts, kept in this browser per person and thread. Text that is being sent leaves the field but stays stored until the service has
 * accepted it, so closing the page loses nothing. After leaving the thread and coming back, the field has only text that is
 * not being sent.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { onSessionEnd } from '../../api/session-ended.js';
import { useViewer } from '../../sign-in/session.js';
import { Signal } from '../../ui/state/signal.js';
import { Store } from '../../ui/state/store.js';
import { storeIfRoom } from '../../ui/state/store-if-room.js';
import { takeSentKey } from './sent-key.js';

const everyones = 'skein.draft.';

/** What a person has written is stored under this prefix, until it is sent or they sign out. */
export function draftPrefix(sub: string): string {
  return `${everyones}${sub}.`;
}

/** Drafts that are shown or being sent, or that the browser had no room for. */
const open = new Map<string, Draft>();

class Draft extends Store<{ text: string }> {
  /** Texts that were taken out to be sent. They stay stored in front of the text. */
  #lifted: readonly string[] = [];
  #isShown = false;
  #isForgotten = false;
  /** Releases the page, which alone has the text. */
  #release: (() => void) | null = null;

  constructor(
    private readonly key: string,
    private readonly sentKey: string,
  ) {
    super({ text: localStorage.getItem(key) ?? '' });
  }

  /** Marks the draft as shown. Returns a function that ends that. */
  readonly show = (): (() => void) => {
    this.#isShown = true;
    open.set(this.key, this);
    addEventListener('storage', this.#follow);
    return () => {
      removeEventListener('storage', this.#follow);
      this.#isShown = false;
      this.#close();
    };
  };

  readonly write = (text: string): void => {
    this.#forgetKey();
    this.#put(text);
  };

  /** Empties the field but keeps the stored text. Returns the text. */
  readonly lift = (): string => {
    const { text } = this.getState();
    this.#lifted = [...this.#lifted, text];
    this.set({ text: '' });
    return text;
  };

  /** The idempotency key to send a text under. */
  readonly keyOf = (text: string, files: readonly { id: string | null }[]): string =>
    takeSentKey(this.sentKey, text, files);

  /** Joins two lifted texts to one, which is sent instead of them. */
  readonly join = (first: string, second: string): string => {
    const joined = lines(first, second);
    this.#land(first);
    this.#land(second);
    this.#lifted = [...this.#lifted, joined];
    return joined;
  };

  /** Removes the stored text that was sent, but not text written since, here or in another tab. */
  readonly settle = (sent: string): void => {
    this.#forgetKey();
    const isOwn = localStorage.getItem(this.key) === this.#stored;
    this.#land(sent);
    if (isOwn || this.#release) this.#save();
  };

  /** Restores text that was not accepted, in front of text written since. */
  readonly giveBack = (sent: string): void => {
    this.#land(sent);
    this.#put(lines(sent, this.getState().text));
  };

  /** Called at sign-out: text that is restored later is not stored either. */
  readonly forget = (): void => {
    this.#isForgotten = true;
    this.#keepInPage(false);
  };

  /** Shows what became of the text in another tab, where it was sent or written on, unless this tab has another text. */
  readonly #follow = ({ key, oldValue, newValue }: StorageEvent): void => {
    const isSame = (oldValue ?? '') === this.getState().text;
    if (key === this.key && isSame) this.set({ text: newValue ?? '' });
  };

  get #stored(): string {
    return lines(...this.#lifted, this.getState().text);
  }

  #put(text: string): void {
    this.set({ text });
    this.#save();
  }

  /** The same words, written anew, are another message. */
  #forgetKey(): void {
    localStorage.removeItem(this.sentKey);
  }

  #save(): void {
    const stored = this.#isForgotten ? '' : this.#stored;
    if (!stored) localStorage.removeItem(this.key);
    this.#keepInPage(stored !== '' && !storeIfRoom(this.key, stored));
  }

  #keepInPage(isKept: boolean): void {
    if (isKept) this.#release ??= askBeforeLeaving();
    else {
      this.#release?.();
      this.#release = null;
    }
  }

  #land(sent: string): void {
    const index = this.#lifted.indexOf(sent);
    this.#lifted = this.#lifted.filter((_text, other) => other !== index);
    this.#close();
  }

  #close(): void {
    if (!this.#isShown && !this.#release && this.#lifted.length === 0 && open.get(this.key) === this)
      open.delete(this.key);
  }
}

function lines(...texts: string[]): string {
  return texts.filter(Boolean).join('\n');
}

export interface DraftText extends Pick<Draft, 'write' | 'lift' | 'keyOf' | 'join' | 'settle' | 'giveBack'> {
  text: string;
}

export function useDraft(place: string): DraftText {
  const prefix = draftPrefix(useViewer().sub);
  const key = prefix + place;
  const [draft] = useState(() => open.get(key) ?? new Draft(key, `${prefix}sent.${place}`));
  useEffect(() => draft.show(), [draft]);
  const { text } = useSyncExternalStore(draft.subscribe, draft.getState);
  return { ...draft, text };
}

/** Takes what was written since the first message was sent along to the thread that it began. */
export function takeDraftAlong(sub: string, threadId: string): void {
  const draft = open.get(`${draftPrefix(sub)}new`);
  const text = draft?.getState().text;
  if (!draft || !text) return;
  draft.write('');
  storeIfRoom(draftPrefix(sub) + threadId, text);
}

/** Removes the drafts of a person at sign-out, so that no other user of this browser can read them. */
export function forgetDrafts(sub: string): void {
  forgetOpen();
  removeDrafts(sub);
}

/** Removes what a person has written and not sent: all of it, or that in a thread, whose ID the places of its drafts have. */
export function removeDrafts(sub: string, threadId = ''): void {
  const isMeant = (key: string) => key.startsWith(draftPrefix(sub)) && key.includes(threadId);
  for (const key of Object.keys(localStorage).filter(isMeant)) localStorage.removeItem(key);
}

/** The tab that signed out has removed what is stored; the drafts that are open here must not be stored again. */
onSessionEnd((end) => end === 'other_tab' && forgetOpen());

function forgetOpen(): void {
  for (const draft of open.values()) draft.forget();
  open.clear();
  forgotten.emit();
}

const forgotten = new Signal();

/** Calls back when the drafts are forgotten, for what else belongs to them. */
export const onDraftsForgotten = forgotten.on;

/** The browser asks before the page is closed or loaded again, until the returned function is called. */
function askBeforeLeaving(): () => void {
  const ask = (event: Event) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}
