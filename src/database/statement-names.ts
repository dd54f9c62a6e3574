/**
 * Names for prepared statements, which PostgreSQL parses once for each connection and, where one plan serves all values,
 * also plans once. Each name costs memory in every connection, so only statements that come back have one, up to a
 * maximum; the others work as before, without a name.
 */

/** Maximum number of statements with a name. */
const maxNames = 300;

/** The plan depends on how frequent the words of a search are, or a tag, so it is made for each call. */
const madeForValues = ['search_query(', 'tag_keys @>'];

/** Longer statements, such as insertions of many rows, are rarely repeated to the letter. */
const maxLength = 8_192;

/** How many statements are remembered after their first call. */
const maxSeenOnce = 1_000;

export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #seenOnce = new Set<string>();

  /** Returns the name of the statement, or '' if it is to be executed without one. */
  of(sql: string): string {
    return this.#names.get(sql) ?? this.#give(sql);
  }

  #give(sql: string): string {
    if (this.#names.size >= maxNames || sql.length > maxLength) return '';
    if (madeForValues.some((part) => sql.includes(part))) return '';
    if (!this.#seenOnce.delete(sql)) {
      this.#remember(sql);
      return '';
    }
    const name = `skein_${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }

  /** Forgets the statement that was seen first, so that statements that never come back do not keep out those that do. */
  #remember(sql: string): void {
    this.#seenOnce.add(sql);
    if (this.#seenOnce.size <= maxSeenOnce) return;
    const [oldest] = this.#seenOnce;
    if (oldest !== undefined) this.#seenOnce.delete(oldest);
  }
}
