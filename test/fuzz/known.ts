/** What answers have told: ids, cursors, and addresses, to be named in later requests. Only the newest of each are kept. */
import type { Chance } from '../support/chance.js';
import { hostileText, nearText } from './values.js';

const kept = 60;

export class Known {
  readonly #ids = new Map<string, string[]>();
  readonly #cursors: string[] = [];
  readonly #streams: string[] = [];

  /** Reads the ids and cursors in an answer. */
  learn(text: string): void {
    const part = text.slice(0, 20_000);
    for (const [id, kind = ''] of part.matchAll(/\b([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}\b/g)) this.#add(kind, id);
    for (const [, cursor = ''] of part.matchAll(/"(?:cursor|endCursor|startCursor)":"([^"]+)"/g)) {
      keep(this.#cursors, cursor);
    }
    for (const [, toolUseId = ''] of part.matchAll(/"(?:toolUseId|tool_use_id)":"([^"]+)"/g))
      this.#add('tool', toolUseId);
  }

  learnStream(token: string): void {
    keep(this.#streams, token);
  }

  /** A reserved stream, which may be gone by now. */
  stream(chance: Chance): string {
    return this.#streams.length > 0 ? chance.pick(this.#streams) : 'unknown';
  }

  /** An id: mostly one of the wanted kind, sometimes one of another, or what was one nearly. */
  id(chance: Chance, wanted: string): string {
    const own = this.#ids.get(wanted) ?? [];
    const all = [...this.#ids.values()].flat();
    return chance.weighted<() => string>([
      [12, () => (own.length > 0 ? chance.pick(own) : `${wanted}_unknown`)],
      [2, () => (all.length > 0 ? chance.pick(all) : 'thr_')],
      [1, () => nearText(chance, own.length > 0 ? chance.pick(own) : wanted)],
      [1, () => hostileText(chance)],
    ])();
  }

  cursor(chance: Chance): string {
    const own = this.#cursors.length > 0 ? chance.pick(this.#cursors) : '1-0';
    return chance.weighted<() => string>([
      [8, () => own],
      [2, () => nearText(chance, own)],
      [1, () => this.id(chance, 'thr')],
      [1, () => hostileText(chance)],
      [1, () => chance.pick(['0-0', '1-end', '999999999-1', '-1', 'e30=', 'bnVsbA==', '1-99999999999999999999'])],
    ])();
  }

  #add(kind: string, id: string): void {
    const ids = this.#ids.get(kind) ?? [];
    this.#ids.set(kind, ids);
    keep(ids, id);
  }
}

function keep(values: string[], value: string): void {
  if (values.includes(value)) return;
  values.push(value);
  if (values.length > kept) values.shift();
}
