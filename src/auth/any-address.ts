/**
 * The sign-in library only accepts public e-mail addresses, while administrators may also use `admin@localhost` or
 * intranet addresses. The library therefore sees each address in an encoded form, and the database stores the original.
 */
import type { DBAdapter, Where } from 'better-auth';

/** Reserved by RFC 2606. */
export const disguiseDomain = 'address.invalid';

/** Encodes an address in a form that the library accepts. */
export function disguised(address: string): string {
  return `${Buffer.from(address.trim().toLowerCase()).toString('hex')}@${disguiseDomain}`;
}

/** Wraps a store so that it also finds users by encoded addresses. */
export function withAnyAddress(store: DBAdapter): DBAdapter {
  return { ...store, findOne: (request) => store.findOne({ ...request, where: request.where.map(revealed) }) };
}

function revealed(condition: Where): Where {
  const { field, value } = condition;
  if (field !== 'email' || typeof value !== 'string' || !value.endsWith(`@${disguiseDomain}`)) return condition;
  return { ...condition, value: Buffer.from(value.slice(0, -disguiseDomain.length - 1), 'hex').toString() };
}
