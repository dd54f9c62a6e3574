/** One caller's reading of the list, page by page, and what must hold for it whatever others do meanwhile. */
import type { Person } from '../../../support/service.js';
import { listThreads, type orders } from '../../../support/threads.js';

export type Order = (typeof orders)[number];

/** More pages than any list of these tests can have. */
const maximumPages = 400;

export interface PagedReadingOptions {
  person: Person;
  order: Order;
  q: string | null;
  /** All threads that existed at the first page; messages of failures name them by their index here. */
  ids: readonly string[];
  /** Those of them that the pages must return. */
  known: readonly string[];
}

export class PagedReading {
  readonly served: string[] = [];
  readonly #person: Person;
  readonly #order: Order;
  readonly #q: string | null;
  readonly #ids: readonly string[];
  readonly #known: readonly string[];
  readonly #pages: string[] = [];
  #after: string | null = null;
  #isOver = false;

  constructor({ person, order, q, ids, known }: PagedReadingOptions) {
    this.#person = person;
    this.#order = order;
    this.#q = q;
    this.#ids = ids;
    this.#known = known;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Reads the next page. */
  async next(limit: number): Promise<void> {
    if (this.#isOver) return;
    const after = this.#after === null ? {} : { after: this.#after };
    const q = this.#q === null ? {} : { q: this.#q };
    const page = await listThreads(this.#person.rest, { ...this.#order, ...q, limit, ...after });
    const ids = page.data.map(({ id }) => id);
    this.served.push(...ids);
    this.#pages.push(
      `${limit} after ${this.#name(this.#after)} → ${ids.map((id) => this.#name(id)).join(' ')}${page.has_more ? ' …' : ''}`,
    );
    this.#after = page.last_id ?? this.#after;
    this.#isOver = !page.has_more;
    if (this.#pages.length > maximumPages) throw new Error(`The reading does not end.${this}`);
  }

  /** Throws where a known thread was not served, or where one was served twice that cannot come twice in this order. */
  check(): void {
    const missing = this.#known.filter((id) => !this.served.includes(id));
    const twice = [...new Set(this.served.filter((id, place) => this.served.indexOf(id) !== place))];
    const mayComeTwice = this.#order.sort_by === 'updated_at' && this.#order.sort_dir === 'asc';
    if (missing.length > 0) throw new Error(`Never served: ${this.#names(missing)}.${this}`);
    if (twice.length > 0 && !mayComeTwice) throw new Error(`Served twice: ${this.#names(twice)}.${this}`);
  }

  /** Describes the reading, one line per page. */
  toString(): string {
    const { sort_by, sort_dir } = this.#order;
    const known = this.#known.map((id) => this.#name(id)).join(' ');
    const title = `The reading by ${sort_by} ${sort_dir}, q=${this.#q}, over ${known}:`;
    return `\n${title}\n  ${this.#pages.join('\n  ')}\n`;
  }

  #names(ids: readonly string[]): string {
    return ids.map((id) => this.#name(id)).join(', ');
  }

  #name(id: string | null): string {
    if (id === null) return 'nothing';
    const place = this.#ids.indexOf(id);
    return place < 0 ? `new:${id.slice(-6)}` : `#${place}`;
  }
}
