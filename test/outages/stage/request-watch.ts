/**
 * Callers who never stop asking while something is broken, and a monitor that asks each node whether it is ready. What they
 * were answered, and how long that took, is written down; a caller posts again with the same key until it is told 201.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sent } from '../../support/clients/rest-client.js';

export interface WatchedAnswer {
  what: 'readyz' | 'read' | 'post';
  /** Monotonic time of the question. */
  askedMs: number;
  tookMs: number;
  /** For how much of it this process, which asks and answers, could not run. */
  heldMs: number;
  /** Null where no answer came. */
  status: number | null;
  retryAfter: string | null;
}

/** A message that a caller insisted on, until it was accepted. */
export interface InsistedPost extends Sent {
  text: string;
}

const pauseMs = 250;
/** How often the process looks whether it could run. */
const tickMs = 50;
/** Beyond any limit that is promised, so that what hangs is seen as an answer that did not come. */
const patienceMs = 90_000;

export class RequestWatch {
  readonly answers: WatchedAnswer[] = [];
  readonly posts: InsistedPost[] = [];
  /** What all that it posts begins with, and nothing that another watch posts. */
  readonly mark = `new ${randomUUID()}`;
  #heldMs = 0;
  #tickedMs = performance.now();
  readonly #token: string;
  readonly #loops: Promise<void>[];
  #stopped = false;
  #hurry = false;

  constructor(urls: readonly string[], token: string) {
    this.#token = token;
    // A loop that fails is heard of when the watch is stopped.
    this.#loops = urls.flatMap((url) => [
      this.#repeat(() => this.#ask('readyz', `${url}/readyz`)),
      this.#repeat(() => this.#ask('read', `${url}/api/v1/threads?limit=5`)),
      this.#repeat(() => this.#insist(url)),
    ]);
    this.#loops.push(this.#tick());
    void Promise.allSettled(this.#loops);
  }

  /** For how long this process could not run so far: what it waited for may have been there that much earlier. */
  get heldMs(): number {
    return this.#heldMs + Math.max(0, performance.now() - this.#tickedMs - tickMs);
  }

  /** Ends when every question has its answer, and every post its 201. Throws where one was never accepted. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const failed = (await Promise.allSettled(this.#loops)).filter((loop) => loop.status === 'rejected');
    for (const { reason } of failed) throw reason;
  }

  /** Ends without a word, and insists on nothing any more. */
  async abandon(): Promise<void> {
    this.#hurry = true;
    this.#stopped = true;
    await Promise.allSettled(this.#loops);
  }

  /** What was asked between two times. */
  between(fromMs: number, toMs: number): WatchedAnswer[] {
    return this.answers.filter(({ askedMs }) => askedMs >= fromMs && askedMs < toMs);
  }

  async #repeat(work: () => Promise<unknown>): Promise<void> {
    while (!this.#stopped) {
      await work();
      await sleep(pauseMs);
    }
  }

  async #tick(): Promise<void> {
    while (!this.#stopped) {
      await sleep(tickMs);
      this.#heldMs = this.heldMs;
      this.#tickedMs = performance.now();
    }
  }

  async #insist(url: string): Promise<void> {
    const text = `${this.mark} ${randomUUID()}`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': text };
    const deadlineMs = performance.now() + patienceMs;
    while (performance.now() < deadlineMs && !this.#hurry) {
      const body = JSON.stringify({ text });
      const answer = await this.#ask('post', `${url}/api/v1/threads`, { method: 'POST', headers, body });
      if (answer.status === 201) {
        const created = JSON.parse(answer.text) as { thread_id: string; message_id: string };
        this.posts.push({ text, threadId: created.thread_id, messageId: created.message_id });
        return;
      }
      await sleep(pauseMs);
    }
    if (!this.#hurry) throw new Error(`"${text}" was not accepted in ${patienceMs} ms`);
  }

  async #ask(
    what: WatchedAnswer['what'],
    url: string,
    init: RequestInit = {},
  ): Promise<{ status: number | null; text: string }> {
    const note = this.#begin(what);
    const headers = { authorization: `Bearer ${this.#token}`, ...(init.headers as Record<string, string>) };
    try {
      const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(patienceMs) });
      const text = await response.text();
      const { status } = response;
      note(status, response.headers.get('retry-after'));
      return { status, text };
    } catch (error) {
      if (!(error instanceof TypeError) && (error as Error).name !== 'TimeoutError') throw error;
      note(null, null);
      return { status: null, text: '' };
    }
  }

  /** Returns what writes down the answer to a question that is asked now. */
  #begin(what: WatchedAnswer['what']): (status: WatchedAnswer['status'], retryAfter: string | null) => void {
    const askedMs = performance.now();
    const heldBeforeMs = this.heldMs;
    return (status, retryAfter) => {
      const tookMs = performance.now() - askedMs;
      this.answers.push({ what, askedMs, tookMs, heldMs: this.heldMs - heldBeforeMs, status, retryAfter });
    };
  }
}
