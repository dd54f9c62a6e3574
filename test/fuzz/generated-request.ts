/** A request as a generator made it, and what everything that generates one is given. */
import type { Chance } from '../support/chance.js';
import type { Known } from './known.js';

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
