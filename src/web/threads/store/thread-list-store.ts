/**
 * The live list of threads of one view. It is loaded page by page. Every change that the service reports is applied in
 * place, so the list is never loaded again. A search runs again after a change, since only the service knows what matches.
 */
import { defaultPageSize } from '../../../contract/page-size.js';
import { runQuery } from '../../api/client.js';
import { follow } from '../../api/live.js';
import {
  type ThreadPage,
  type ThreadsChange,
  threadsChangedSubscription,
  threadsQuery,
} from '../../api/thread-documents.js';
import type { Thread } from '../../api/types.js';
import { Store } from '../../ui/state/store.js';
import { byUpdate, filterOf, isInView, type View } from './thread-filter.js';
import { matchesOf, type ThreadListState, unopened } from './thread-list-state.js';
import { isOlder } from './thread-version.js';

const searchAgainMs = 400;
const mostReported = 500;

export class ThreadListStore extends Store<ThreadListState> {
  #endCursor: string | null = null;
  /** The number of the latest request. Responses to earlier ones are ignored. */
  #question = 0;
  /** The latest request whose first page is loaded. No further page can be loaded before it. */
  #answered = 0;
  /** The request whose next page is loading. */
  #extended = 0;
  /** The threads that changed since the latest request; null for those that are no longer visible. */
  readonly #reported = new Map<string, Thread | null>();
  #searchTimer: ReturnType<typeof setTimeout> | undefined;
  #stop: (() => void) | undefined;

  constructor(private readonly viewerId: string) {
    super(unopened);
  }

  /** Loads the list and follows its changes. Returns a function that stops following. */
  start(): () => void {
    void this.#load();
    this.#follow();
    return () => {
      this.#stop?.();
      clearTimeout(this.#searchTimer);
    };
  }

  show(view: View, q: string): void {
    if (view === this.getState().view && q === this.getState().q) return;
    const stays = view === this.getState().view;
    this.set({ view, q, status: 'loading', ...(stays ? {} : { threads: [] }), ...(q ? {} : { matches: new Map() }) });
    void this.#load();
  }

  readonly reload = (): void => void this.#load();

  readonly loadMore = async (): Promise<void> => {
    const question = this.#question;
    if (this.#answered !== question || this.#extended === question) return;
    if (!this.getState().hasMore || this.getState().status !== 'ready') return;
    this.#extended = question;
    const page = await this.#ask(this.#endCursor);
    if (question !== this.#question) return;
    this.#extended = 0;
    if (!page) return;
    const { threads, matches } = this.getState();
    const known = new Set(threads.map(({ id }) => id));
    const others = page.edges.map(({ node }) => node).filter(({ id }) => !known.has(id));
    this.#take(page, { threads: [...threads, ...others], matches: new Map([...matches, ...matchesOf(page.edges)]) });
  };

  /** Applies the viewer's own change without waiting for the feed, unless the feed has already delivered a newer version. */
  readonly put = (thread: Thread): void => {
    const { id } = thread;
    const known = this.#reported.get(id) ?? this.getState().threads.find((shown) => shown.id === id);
    if (!known || !isOlder(thread, known)) this.#report(id, thread);
  };

  #follow(): void {
    this.#stop = follow({
      document: threadsChangedSubscription,
      variables: { after: null },
      cursorOf: ({ threadsChanged }) => threadsChanged.cursor,
      next: ({ threadsChanged }) => this.#receive(threadsChanged),
      // The database was restored from a backup. The new subscription reloads the list when it starts.
      refused: (code) => code === 'INVALID_CURSOR' && this.#follow(),
    });
  }

  #report(id: string, thread: Thread | null): void {
    const [oldest] = this.#reported.keys();
    if (oldest && this.#reported.size === mostReported) this.#reported.delete(oldest);
    this.#reported.set(id, thread);
    this.#place(id, thread);
    if (this.getState().q) this.#searchAgain();
  }

  #place(id: string, thread: Thread | null): void {
    const { threads, view, q } = this.getState();
    const others = threads.filter((other) => other.id !== id);
    const isGone = !thread || !isInView(thread, view, this.viewerId) || this.#isBeyondLastPage(thread);
    if (isGone) this.set({ threads: others });
    else if (!q) this.set({ threads: [...others, thread].sort(byUpdate) });
    else this.set({ threads: threads.map((shown) => (shown.id === id ? thread : shown)) });
  }

  /** Whether a thread belongs to a page that is not loaded yet. */
  #isBeyondLastPage(thread: Thread): boolean {
    const { threads, hasMore } = this.getState();
    const last = threads.at(-1);
    return hasMore && last !== undefined && byUpdate(thread, last) > 0;
  }

  #receive(change: ThreadsChange): void {
    if (change.__typename === 'ThreadUpserted') this.#report(change.thread.id, change.thread);
    else if (change.__typename === 'ThreadHidden') this.#report(change.threadId, null);
    else void this.#load();
  }

  /** Applies a response, and then the changes reported since its request, which may be newer. */
  #take({ pageInfo }: ThreadPage, answer: Partial<ThreadListState>): void {
    this.#endCursor = pageInfo.endCursor;
    this.set({ ...answer, hasMore: pageInfo.hasNextPage, loads: this.getState().loads + 1 });
    for (const [id, thread] of this.#reported) this.#place(id, thread);
  }

  #searchAgain(): void {
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(() => void this.#load(), searchAgainMs);
  }

  async #load(): Promise<void> {
    this.#question += 1;
    const question = this.#question;
    const page = await this.#ask(null);
    if (question !== this.#question || !page) return;
    this.#answered = question;
    const threads = page.edges.map(({ node }) => node);
    this.#take(page, { threads, matches: matchesOf(page.edges), status: 'ready', problem: null });
  }

  async #ask(after: string | null): Promise<ThreadPage | null> {
    const { view, q } = this.getState();
    const question = this.#question;
    this.#reported.clear();
    const outcome = await runQuery(threadsQuery, { filter: filterOf(view, q), after, first: defaultPageSize });
    if (question !== this.#question) return null;
    if (!outcome.ok) {
      this.set({ status: 'failed', problem: outcome.message });
      return null;
    }
    return outcome.value.threads;
  }
}
