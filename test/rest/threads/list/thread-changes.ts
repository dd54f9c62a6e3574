/**
 * Changes of threads by others, over their own connections, while a caller reads the list page by page: moves, several at one
 * moment, moves that are committed only after later pages were read, new threads, and real messages.
 */
import type pg from 'pg';
import type { Person, TestService } from '../../../support/service.js';
import { addThread } from '../../../support/threads.js';

/** Threads are named by their index among those that existed at the first page. */
export type Change =
  | { do: 'move'; thread: number; times: number }
  | { do: 'move at one moment'; threads: number[] }
  | { do: 'move the last one served'; times: number }
  | { do: 'move and commit late'; thread: number; pages: number; commits: boolean }
  | { do: 'create' }
  | { do: 'post' }
  | { do: 'send'; thread: number };

interface Held {
  client: Promise<pg.PoolClient>;
  id: string;
  pages: number;
  commits: boolean;
}

// Never twice to the same moment, so that each is a move; never back, as the service's own statements.
const later = `greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')`;

export class ThreadChanges {
  #held: Held[] = [];

  constructor(private readonly of: { service: TestService; pool: pg.Pool; owner: Person; ids: readonly string[] }) {}

  /**
   * Makes all changes at the same time, but first those whose transactions stay open: nobody must already be waiting for
   * their rows. `served` are the threads that were returned last.
   */
  async make(changes: readonly Change[], served: readonly string[]): Promise<void> {
    const isLate = (change: Change) => change.do === 'move and commit late';
    await Promise.all(changes.filter(isLate).map((change) => this.#make(change, served)));
    await Promise.all(changes.filter((change) => !isLate(change)).map((change) => this.#make(change, served)));
  }

  /** Ends the transactions that were to stay open until now. */
  async pageWasRead(): Promise<void> {
    for (const held of this.#held) held.pages -= 1;
    await this.#release((held) => held.pages <= 0);
  }

  async end(): Promise<void> {
    await this.#release(() => true);
  }

  async #make(change: Change, served: readonly string[]): Promise<void> {
    switch (change.do) {
      case 'move':
        return this.#move(this.#id(change.thread), change.times);
      case 'move at one moment':
        return this.#moveTogether(change.threads.map((thread) => this.#id(thread)));
      case 'move the last one served':
        return void (await Promise.all(served.map((id) => this.#move(id, change.times))));
      case 'move and commit late':
        return this.#hold(this.#id(change.thread), change);
      case 'create':
        return void (await addThread(this.of.service, this.of.owner));
      case 'post':
        return void (await this.of.owner.rest.createThread({ text: 'Hi' }));
      case 'send':
        return this.#send(this.#id(change.thread));
    }
  }

  #id(thread: number): string {
    return this.of.ids[thread % this.of.ids.length] ?? '';
  }

  /** A thread that an open transaction has moved is left alone: whoever touched it would wait for that. */
  #isFree(id: string): boolean {
    return !this.#held.some((held) => held.id === id);
  }

  async #move(id: string, times: number): Promise<void> {
    for (let i = 0; i < times && this.#isFree(id); i += 1) {
      await this.of.pool.query(`UPDATE thread SET updated_at = ${later} WHERE id = $1`, [id]);
    }
  }

  async #moveTogether(ids: string[]): Promise<void> {
    const free = ids.filter((id) => this.#isFree(id));
    await this.of.pool.query(
      `WITH locked AS (SELECT id, ${later} AS later FROM thread WHERE id = ANY($1) ORDER BY id FOR UPDATE)
       UPDATE thread t SET updated_at = (SELECT max(later) FROM locked) FROM locked WHERE t.id = locked.id`,
      [free],
    );
  }

  async #hold(id: string, { pages, commits }: { pages: number; commits: boolean }): Promise<void> {
    if (!this.#isFree(id)) return;
    const connecting = this.of.pool.connect();
    this.#held.push({ client: connecting, id, pages, commits });
    const client = await connecting;
    await client.query('BEGIN');
    await client.query(`UPDATE thread SET updated_at = ${later} WHERE id = $1`, [id]);
  }

  async #release(isDue: (held: Held) => boolean): Promise<void> {
    const due = this.#held.filter(isDue);
    this.#held = this.#held.filter((held) => !isDue(held));
    for (const { client, commits } of due) {
      const connection = await client;
      await connection.query(commits ? 'COMMIT' : 'ROLLBACK');
      connection.release();
    }
  }

  async #send(id: string): Promise<void> {
    if (!this.#isFree(id)) return;
    const { status, body } = await this.of.owner.rest.post(`/threads/${id}/messages`, { text: 'Hi' });
    if (status !== 201 && status !== 409) throw new Error(`POST messages → ${status} ${JSON.stringify(body)}`);
  }
}
