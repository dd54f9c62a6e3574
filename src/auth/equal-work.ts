/**
 * The store of the sign-in library, which does as much for an address that nobody has as for one that somebody has: the time of an
 * answer would tell the two apart otherwise. The library itself hashes the password in both cases.
 */
import type { DBAdapter } from 'better-auth';

/** The same store; only looking for a user with their accounts is different where there is no such user. */
export function withEqualWork(store: DBAdapter): DBAdapter {
  return {
    ...store,
    findOne: async <T>(request: Parameters<DBAdapter['findOne']>[0]) => {
      const row = await store.findOne<T>(request);
      // The accounts of a user are a statement of their own.
      if (row === null && request.model === 'user' && request.join?.['account']) await findAccountsOf(store, nobody);
      return row;
    },
  };
}

const nobody = 'usr_';

function findAccountsOf(store: DBAdapter, userId: string): Promise<unknown[]> {
  return store.findMany({ model: 'account', where: [{ field: 'userId', value: userId }] });
}
