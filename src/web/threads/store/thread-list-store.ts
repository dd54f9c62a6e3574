/**
 * The live list of the threads of one part. It is loaded page by page. Every change that the service reports is applied in
 * place, so the list is never loaded again. A search runs again after a change, since only the service knows what matches.
 */
import { defaultPageSize, maximumPins } from '../../../contract.js';
import { runQuery } from '../../api/client.js';
import { onReconnect } from '../../api/connection-state.js';
import { follow, reconnection } from '../../api/live.js';
import {
  type ThreadPage,
  type ThreadsChange,
  threadsChangedSubscription,
  threadsQuery,
} from '../../api/thread-documents.js';
import { threadHidden } from '../../api/thread-hidden.js';
import type { Thread } from '../../api/types.js';
import { Store } from '../../ui/state/store.js';
import { AnswerEnds } from '../notifications/answer-ends.js';
import { keepPart, keptPart } from './kept-part.js';
import { ThreadArchiving } from './thread-archiving.js';
import { byActivity, filterOf, isInPart, isSamePart, type Part } from './thread-filter.js';
import { matchesOf, type ThreadListState, unopened, withUnread } from './thread-list-state.js';
import { isOlder } from './thread-state.js';

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
  #isStarted = false;
  #stop: (() => void) | undefined;
  /** Tells the other tabs of this browser what was read, pinned and unpinned here. */
  readonly #tabs = new BroadcastChannel('skein.threads');

  readonly archiving = new ThreadArchiving({
    find: (id) => this.find(id),
    put: (thread) => this.put(thread),
    own: () => this.#shown().filter(({ owner }) => owner.id === this.viewerId),
  });

  readonly #ends: AnswerEnds;

  constructor(private readonly viewerId: string) {
    super({ ...unopened, ...keptPart(viewerId) });
    this.#ends = new AnswerEnds({ viewerId, isUnread: (id) => this.getState().unread.has(id) });
  }

  /** Loads the list and follows its changes. Returns a function that stops following. */
  start(): () => void {
    this.#isStarted = true;
    void this.#load();
    this.#follow();
    this.#tabs.onmessage = ({ data }: MessageEvent<{ readId: string } | Thread>) =>
      'readId' in data ? this.#forgetUnread(data.readId) : this.put(data);
    const stopListening = onReconnect(() => void this.#catchUp());
    return () => {
      this.#isStarted = false;
      stopListening();
      this.#stop?.();
      this.#tabs.onmessage = null;
      clearTimeout(this.#searchTimer);
      this.#ends.close();
    };
  }

  show(part: Part, q: string): void {
    const stays = isSamePart(part, this.getState());
    if (stays && q === this.getState().q) return;
    this.archiving.cancel();
    keepPart(this.viewerId, part);
    this.set({
      ...part,
      q,
      status: 'loading',
      ...(stays ? {} : { threads: [], pins: [] }),
      ...(q ? {} : { matches: new Map() }),
    });
    void this.#load();
  }

  readonly reload = (): void => void this.#load();

  readonly loadMore = async (): Promise<void> => {
    const question = this.#question;
    if (this.#answered !== question || this.#extended === question) return;
    if (!this.getState().hasMore || this.getState().status !== 'ready') return;
    this.#extended = question;
    const found = await this.#ask(this.#endCursor);
    if (question !== this.#question) return;
    this.#extended = 0;
    if (!found) return;
    const { page } = found;
    const { threads, matches, emptyPages } = this.getState();
    const known = new Set(threads.map(({ id }) => id));
    const others = page.edges.map(({ node }) => node).filter(({ id }) => !known.has(id));
    this.#take(page, {
      threads: [...threads, ...others],
      matches: new Map([...matches, ...matchesOf(page.edges)]),
      emptyPages: page.edges.length > 0 ? 0 : emptyPages + 1,
    });
  };

  find(threadId: string): Thread | null {
    const { threads, pins } = this.getState();
    return [...pins, ...threads].find(({ id }) => id === threadId) ?? null;
  }

  /** The threads in the order of the rows. */
  #shown(): readonly Thread[] {
    const { threads, pins } = this.getState();
    return pins.length === 0 ? threads : [...pins, ...threads.filter(({ isPinned }) => !isPinned)];
  }

  /** Applies the viewer's own change without waiting for the feed, unless the feed has already delivered a newer version. */
  readonly put = (thread: Thread): void => {
    const { id } = thread;
    const known = this.#reported.get(id) ?? this.find(id);
    if (!known || !isOlder(thread, known)) this.#report(id, thread);
  };

  /** Removes a thread that was deleted or is no longer visible. */
  readonly remove = (id: string): void => {
    threadHidden.emit(id);
    this.archiving.forget(id);
    this.#report(id, null);
  };

  /** Called when the viewer has pinned or unpinned a thread, which no feed reports. */
  readonly notePinned = (thread: Thread): void => {
    this.#tabs.postMessage(thread);
  };

  /** Called while the viewer looks at the end of a thread. Returns a function to be called when they no longer do. */
  readonly watch = (id: string): (() => void) => {
    this.set({ watched: id });
    return () => this.set({ watched: null });
  };

  /** Called when the viewer has read a thread to its end. */
  readonly noteRead = (id: string): void => {
    this.#forgetUnread(id);
    this.#tabs.postMessage({ readId: id });
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
    if (thread) {
      this.set({ unread: withUnread(this.getState().unread, [thread]) });
      this.#ends.note(thread);
    } else {
      this.#forgetUnread(id);
      this.#ends.forget(id);
    }
    if (!this.getState().q) return;
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(this.reload, searchAgainMs);
  }

  #place(id: string, thread: Thread | null): void {
    const { threads, q } = this.getState();
    const others = threads.filter((other) => other.id !== id);
    this.#placePin(id, thread);
    const isGone = !thread || !isInPart(thread, this.getState(), this.viewerId) || this.#isBeyondLastPage(thread);
    if (isGone) this.set({ threads: others });
    else if (!q) this.set({ threads: [...others, thread].sort(byActivity) });
    else this.set({ threads: threads.map((shown) => (shown.id === id ? thread : shown)) });
  }

  #placePin(id: string, thread: Thread | null): void {
    const { pins, q } = this.getState();
    const others = pins.filter((other) => other.id !== id);
    const isPin = thread?.isPinned && isInPart(thread, this.getState(), this.viewerId) && !q;
    if (isPin) this.set({ pins: [...others, thread].sort(byActivity) });
    else if (others.length < pins.length) this.set({ pins: others });
  }

  #forgetUnread(id: string): void {
    const { unread } = this.getState();
    if (unread.has(id)) this.set({ unread: new Set([...unread].filter((other) => other !== id)) });
  }

  /** Whether a thread belongs to a page that is not loaded yet. */
  #isBeyondLastPage(thread: Thread): boolean {
    const { threads, hasMore } = this.getState();
    const last = threads.at(-1);
    return hasMore && last !== undefined && byActivity(thread, last) > 0;
  }

  #receive(change: ThreadsChange): void {
    if (change.__typename === 'ThreadUpserted') this.#report(change.thread.id, change.thread);
    else if (change.__typename === 'ThreadHidden') this.remove(change.threadId);
    else void this.#load();
  }

  /** Applies a response, and then the changes reported since its request, which may be newer. */
  #take({ edges, pageInfo }: ThreadPage, answer: Partial<ThreadListState>): void {
    this.#endCursor = pageInfo.endCursor;
    const { loads, unread } = this.getState();
    const found = edges.map(({ node }) => node);
    this.set({ ...answer, hasMore: pageInfo.hasNextPage, loads: loads + 1, unread: withUnread(unread, found) });
    for (const thread of found) this.#ends.note(this.#reported.get(thread.id) ?? thread);
    for (const [id, thread] of this.#reported) this.#place(id, thread);
  }

  async #load(): Promise<void> {
    this.#question += 1;
    const question = this.#question;
    const found = await this.#ask(null);
    if (question !== this.#question || !found) return;
    this.#answered = question;
    const { page, pins } = found;
    const threads = page.edges.map(({ node }) => node);
    const emptyPages = threads.length > 0 ? 0 : 1;
    this.#take(page, { threads, pins, matches: matchesOf(page.edges), emptyPages, status: 'ready', problem: null });
  }

  /** Loads what was read and pinned on other devices, which no feed reports. The threads further down stay as they are. */
  async #catchUp(): Promise<void> {
    const { q, status } = this.getState();
    if (q || status !== 'ready') return;
    const question = this.#question;
    const outcome = await this.#query(null);
    if (!outcome.ok || question !== this.#question) return;
    // A thread that is found, too, is put as it is.
    const known = this.getState().pins.map((thread) => ({ ...thread, isPinned: false }));
    const found = [...outcome.value.threads.edges, ...(outcome.value.pins?.edges ?? [])].map(({ node }) => node);
    for (const thread of [...known, ...found]) this.put(thread);
  }

  async #ask(after: string | null): Promise<{ page: ThreadPage; pins: Thread[] } | null> {
    const question = this.#question;
    this.#reported.clear();
    const outcome = await this.#query(after);
    if (question !== this.#question) return null;
    if (!outcome.ok) {
      this.set({ status: 'failed', problem: outcome.message });
      void reconnection().then(() => {
        if (this.#isStarted && question === this.#question) this.reload();
      });
      return null;
    }
    const { threads, pins } = outcome.value;
    return { page: threads, pins: pins?.edges.map(({ node }) => node) ?? [] };
  }

  #query(after: string | null) {
    const { q } = this.getState();
    const filter = filterOf(this.getState(), q);
    const pinned = { pins: { ...filter, pinned: true }, mostPins: maximumPins, withPins: after === null && !q };
    return runQuery(threadsQuery, { filter, after, first: defaultPageSize, ...pinned });
  }
}
