/**
 * The sign-in library only accepts public e-mail addresses, while administrators may also use `admin@localhost` or
 * intranet addresses. The library therefore sees each address in an encoded form, and the database stores the original.
 */
import type { DBAdapter, Where } from 'better-auth';

/** Reserved by RFC 2606. */
export const disguiseDomain = 'address.invalid';

/**
 * Encodes an address in a form that the library accepts. One that looks encoded is encoded as well: it has many spellings, each of
 * which would have attempts of its own at the same account.
 */
export function disguised(address: string): string {
  return `${Buffer.from(address.trim().toLowerCase()).toString('hex')}@${disguiseDomain}`;
}

/** The address that is encoded in this one, which may also be any other text. */
export function revealed(address: string): string {
  return isDisguised(address) ? Buffer.from(address.slice(0, -disguiseDomain.length - 1), 'hex').toString() : address;
}

function isDisguised(address: string): boolean {
  return address.endsWith(`@${disguiseDomain}`);
}

/** Wraps a store so that it also finds users by encoded addresses, and shows them to the library with these. */
export function withAnyAddress(store: DBAdapter): DBAdapter {
  return {
    ...store,
    findOne: async <T>(request: Parameters<DBAdapter['findOne']>[0]) => {
      const row = await store.findOne<T>({ ...request, where: request.where.map(revealedCondition) });
      const email = request.where.find(({ field }) => field === 'email')?.value;
      return row && typeof email === 'string' && isDisguised(email) ? { ...row, email } : row;
    },
  };
}

function revealedCondition(condition: Where): Where {
  const { field, value } = condition;
  return field === 'email' && typeof value === 'string' ? { ...condition, value: revealed(value) } : condition;
}
