/** A request as a generator made it, and what everything that generates one is given. */
import type { Chance } from '../support/chance.js';
import { hostileText, nearText } from './values.js';

const kept = 60;

/** What answers have told: ids, cursors, and addresses, to be named in later requests. Only the newest of each are kept. */
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

export interface GeneratedRequest {
  /** What it is about, for the count of answers. */
  about: 'rest' | 'graphql' | 'graphql stream' | 'attachments' | 'auth' | 'operator' | 'web' | 'raw';
  method: string;
  /** With the query; what `node:http` would not send is sent as bytes. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** By what the requests of the moment may show who calls. */
export interface Callers {
  /** Bearer tokens: of people who may do all, of one with few scopes, of a stranger, of nobody. */
  tokens: readonly string[];
  /** Cookies of people who are signed in with a browser. */
  cookies: readonly string[];
  passwords: readonly { email: string; password: string }[];
  links: readonly string[];
}

export interface Surroundings {
  chance: Chance;
  known: Known;
  callers: Callers;
}

/** Headers that show who calls: mostly somebody who may. */
export function credentials({ chance, callers }: Surroundings): Record<string, string> {
  const [owner = ''] = callers.tokens;
  return chance.weighted<() => Record<string, string>>([
    [10, () => ({ authorization: `Bearer ${owner}` })],
    [5, () => ({ authorization: `Bearer ${chance.pick(callers.tokens)}` })],
    [2, () => ({ cookie: chance.pick(callers.cookies), origin: 'https://skein.test' })],
    [1, () => ({})],
    [1, () => ({ authorization: chance.pick(['Bearer', 'Basic YTpi', `bearer  ${owner} `, `Bearer ${owner}x`, '']) })],
  ])();
}
