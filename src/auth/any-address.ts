/**
 * The sign-in library wants addresses of the internet. Ours are whatever an administrator says that they are, `admin@localhost`
 * and those of an intranet among them: so the library sees each in a form that it takes, and its store has them as they are.
 */
import type { DBAdapter, Where } from 'better-auth';

/** Nobody's, by RFC 2606. */
export const disguiseDomain = 'address.invalid';

/** The form of an address that the library takes. */
export function disguised(address: string): string {
  return `${Buffer.from(address.trim().toLowerCase()).toString('hex')}@${disguiseDomain}`;
}

/** The same store, which finds a user by a disguised address too. */
export function withAnyAddress(store: DBAdapter): DBAdapter {
  return { ...store, findOne: (request) => store.findOne({ ...request, where: request.where.map(revealed) }) };
}

function revealed(condition: Where): Where {
  const { field, value } = condition;
  if (field !== 'email' || typeof value !== 'string' || !value.endsWith(`@${disguiseDomain}`)) return condition;
  return { ...condition, value: Buffer.from(value.slice(0, -disguiseDomain.length - 1), 'hex').toString() };
}
