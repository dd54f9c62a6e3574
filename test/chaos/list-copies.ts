/**
 * Two clients that keep a copy of the list of threads, as the documents say: one follows the feed of changes and resumes it wherever
 * it was cut (docs/graphql.md), the other asks for what was updated since the last minute of what it has (docs/rest.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { type Asking, ask, isLost, subscribe } from './ask.js';

interface CopiedThread {
  state: string;
  updatedAt: string;
}

/** What a copy has, by the id of the thread. */
type Copy = Map<string, CopiedThread>;

interface FeedEvent {
  __typename: string;
  cursor: string;
  thread?: CopiedThread & { id: string };
}

interface Page {
  data: { id: string; state: string; updated_at: string }[];
  last_id: string | null;
  has_more: boolean;
}

const feed = `subscription ($after: String) { event: threadsChanged(after: $after) {
  __typename ... on Positioned { cursor } ... on ThreadUpserted { thread { id state updatedAt } } } }`;
const overlapMs = 60_000;
/** How often a follower leaves, by the event, and for how long at most. */
const leavesRate = 0.1;
const awayMs = 2000;

/** Keeps both copies until it is stopped, which completes them; then gives where they differ from the database. */
export function keepCopies(asking: Asking, database: PrismaClient): { stop: () => Promise<string[]> } {
  const end = new AbortController();
  const kept = Promise.all([followFeed(asking, end.signal), askAgain(asking, end.signal)]);
  const stop = async () => {
    end.abort();
    const [followed, asked] = await kept;
    return [...(await missing('the feed', followed, database)), ...(await missing('updated_since', asked, database))];
  };
  return { stop };
}

/** Ends where everything was sent that had changed when the signal aborted. */
async function followFeed(asking: Asking, signal: AbortSignal): Promise<Copy> {
  const copy: Copy = new Map();
  let after: string | undefined;
  for (;;) {
    const isLast = signal.aborted;
    const isFirst = after === undefined;
    const { events, refusal } = await subscribe<FeedEvent>(asking, { query: feed, variables: { after } });
    if (refusal !== undefined) throw new Error(refusal);
    try {
      for await (const { __typename, cursor, thread } of events ?? []) {
        after = cursor;
        if (thread) copy.set(thread.id, thread);
        else if (isFirst) await askOnce(asking, copy);
        if (isLast && __typename === 'ThreadsCaughtUp') return copy;
        if (!isLast && (signal.aborted || asking.random() < leavesRate)) break;
      }
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    await sleep(50);
    // What changes meanwhile must come with the next subscription.
    await sleep(asking.random() * awayMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The last round begins after the signal has aborted. */
async function askAgain(asking: Asking, signal: AbortSignal): Promise<Copy> {
  const copy: Copy = new Map();
  for (let isLast = false; ; isLast = signal.aborted) {
    await askOnce(asking, copy);
    if (isLast) return copy;
    await sleep(500, undefined, { signal }).catch(() => undefined);
  }
}

async function askOnce(asking: Asking, copy: Copy): Promise<void> {
  const newest = Math.max(0, ...[...copy.values()].map(({ updatedAt }) => Date.parse(updatedAt)));
  const since = newest === 0 ? '' : `&updated_since=${new Date(newest - overlapMs).toISOString()}`;
  for (let after = ''; ; ) {
    const response = await ask(asking, `/threads?limit=20&archived=true${since}${after}`, {});
    const page =
      response?.status === 200 ? ((await response.json().catch(() => undefined)) as Page | undefined) : undefined;
    if (response && response.status < 500 && response.status !== 200) throw new Error(`list → ${response.status}`);
    for (const { id, state, updated_at } of page?.data ?? []) copy.set(id, { state, updatedAt: updated_at });
    if (page && !page.has_more) return;
    if (page) after = `&after=${page.last_id}`;
    else await sleep(100);
  }
}

async function missing(by: string, copy: Copy, database: PrismaClient): Promise<string[]> {
  const threads = await database.thread.findMany({ select: { id: true, state: true, updatedAt: true } });
  return threads.flatMap(({ id, state, updatedAt }) => {
    const has = copy.get(id);
    const isSame = has?.state.toLowerCase() === state && Date.parse(has.updatedAt) === updatedAt.getTime();
    return isSame
      ? []
      : [`${by}: ${id} is ${state} since ${updatedAt.toISOString()}, and the copy has ${JSON.stringify(has)}`];
  });
}
