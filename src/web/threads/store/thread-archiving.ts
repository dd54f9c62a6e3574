/**
 * Archives several of the viewer's threads at once, and takes it back. What is taken back is what the service has changed: a
 * thread that was archived before stays archived.
 */
import { maximumArchived } from '../../../contract.js';
import { runMutation } from '../../api/client.js';
import { archiveManyMutation, unarchiveManyMutation } from '../../api/thread-documents.js';
import type { Thread } from '../../api/types.js';
import { Store } from '../../ui/state/store.js';

export interface ArchivingState {
  /** The IDs of the threads that are selected. While there are any, a click on a row selects it. */
  chosen: ReadonlySet<string>;
  /** What was archived or unarchived last, until the message about it goes. */
  done: { threads: readonly Thread[]; archived: boolean } | null;
  problem: string | null;
}

/** What archiving needs of the list. */
export interface ArchivableList {
  find: (threadId: string) => Thread | null;
  put: (thread: Thread) => void;
  /** The viewer's threads in the order in which they are shown. */
  own: () => readonly Thread[];
}

export class ThreadArchiving extends Store<ArchivingState> {
  /** The thread that was selected last, from which a range extends. */
  #anchor: string | null = null;

  constructor(private readonly list: ArchivableList) {
    super({ chosen: new Set(), done: null, problem: null });
  }

  readonly toggle = (id: string): void => {
    const { chosen } = this.getState();
    this.#anchor = id;
    if (chosen.has(id)) this.forget(id);
    else this.set({ chosen: new Set([...chosen, id]) });
  };

  /** Selects a thread no longer, also one that is gone. */
  readonly forget = (id: string): void => {
    const { chosen } = this.getState();
    if (chosen.has(id)) this.set({ chosen: new Set([...chosen].filter((other) => other !== id)) });
  };

  /** Selects all from the thread that was selected last to this one. */
  readonly extendTo = (id: string): void => {
    const ids = this.list.own().map((thread) => thread.id);
    const from = ids.indexOf(this.#anchor ?? id);
    const to = ids.indexOf(id);
    const range = from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    this.set({ chosen: new Set([...this.getState().chosen, ...range]) });
  };

  /** Forgets what is selected and what was done. */
  readonly cancel = (): void => this.set({ chosen: new Set(), done: null, problem: null });

  /** Archives or unarchives the selected threads. Those that the service did not change stay selected. */
  readonly run = async (archived: boolean): Promise<void> => {
    const threads = [...this.getState().chosen].flatMap((id) => this.list.find(id) ?? []);
    const { changed, problem } = await this.#change(threads, archived);
    this.note(changed, archived);
    this.set({ problem, ...(problem === null && { chosen: new Set() }) });
  };

  /** Offers to take back what was done to these threads. */
  readonly note = (threads: readonly Thread[], archived: boolean): void =>
    this.set({ done: threads.length > 0 ? { threads, archived } : null, problem: null });

  readonly undo = async (): Promise<void> => {
    const { done } = this.getState();
    if (!done) return;
    const { problem } = await this.#change(done.threads, !done.archived);
    this.set({ problem, ...(problem === null && { done: null }) });
  };

  /** Returns the threads that changed, as they are now, and what prevented the others from it. */
  async #change(threads: readonly Thread[], archived: boolean) {
    const changed: Thread[] = [];
    for (let start = 0; start < threads.length; start += maximumArchived) {
      const some = threads.slice(start, start + maximumArchived);
      const ids = some.map(({ id }) => id);
      const outcome = await runMutation(archived ? archiveManyMutation : unarchiveManyMutation, { ids });
      if (!outcome.ok) return { changed, problem: outcome.message };
      const known = new Set(outcome.value.ids);
      for (const thread of some.filter(({ id }) => known.has(id))) {
        changed.push({ ...thread, archived });
        this.list.put({ ...thread, archived });
      }
    }
    return { changed, problem: null };
  }
}
