/** Everybody who may ask: people with all scopes, nobody, and the owner with tokens that may do less. */

import { type Scope, scopes } from '../../../src/contract.js';
import type { Person, TestService } from '../../support/service.js';
import type { Secret } from '../attacks/secrets.js';

export type Who = 'owner' | 'colleague' | 'stranger' | 'nobody';

export interface Caller {
  name: string;
  who: Who;
  token?: string;
  scopes: ReadonlySet<Scope>;
}

export interface Callers {
  owner: Person;
  /** The three people whose tokens may do everything. */
  people: Caller[];
  /** Callers whom a token, or the want of one, keeps from some or all of it. */
  hindered: Caller[];
}

export async function makeCallers(service: TestService): Promise<Callers> {
  const owner = await service.person({ org: 'acme' });
  const colleague = await service.person({ org: 'acme', role: 'admin' });
  const stranger = await service.person({ org: 'globex', role: 'admin' });
  const people = Object.entries({ owner, colleague, stranger }).map(([name, { token }]) => {
    return { name, who: name as Who, token, scopes: new Set(scopes) };
  });
  for (const person of [owner, colleague, stranger]) await addRevokedToken(service, person);
  return {
    owner,
    people,
    // Which tokens are none is found out before the field: `test/graphql/identity/auth.test.ts` has the ways.
    hindered: [{ name: 'no token', who: 'nobody', scopes: new Set() }, ...(await weakCallers(service, owner))],
  };
}

/** So that the list of a person's own has one. */
async function addRevokedToken(service: TestService, { id: userId }: Person): Promise<void> {
  const { database } = service;
  await service.token(userId, scopes);
  const { id } = await database.accessToken.findFirstOrThrow({ where: { userId }, orderBy: { id: 'desc' } });
  await database.accessToken.update({ where: { id }, data: { revokedAt: new Date() } });
}

/** The owner with every scope but one, and with each alone. */
async function weakCallers(service: TestService, owner: Person): Promise<Caller[]> {
  const sets = scopes.flatMap((scope) => [
    { name: `owner without ${scope}`, granted: scopes.filter((each) => each !== scope) },
    { name: `owner with ${scope} alone`, granted: [scope] },
  ]);
  const callers: Caller[] = [];
  for (const { name, granted } of sets) {
    callers.push({ name, who: 'owner', token: await service.token(owner.id, granted), scopes: new Set(granted) });
  }
  return callers;
}

/** What the rules of the specification let a caller know (Authentication, 3 and 7). */
export function mayKnow({ who, scopes: granted }: Caller, { isPrivate, scopes: any }: Secret): boolean {
  if (!any.some((scope) => granted.has(scope))) return false;
  return who === 'owner' || (who === 'colleague' && !isPrivate);
}
