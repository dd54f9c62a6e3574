/**
 * Makes the store do the same work for unknown addresses as for known ones, so that the response time does not tell
 * them apart. The library itself hashes the password in both cases.
 */
import type { DBAdapter } from 'better-auth';

/** Wraps a store; only the lookup of an unknown user with accounts differs. */
export function withEqualWork(store: DBAdapter): DBAdapter {
  return {
    ...store,
    findOne: async <T>(request: Parameters<DBAdapter['findOne']>[0]) => {
      const row = await store.findOne<T>(request);
      // The accounts of a known user take a second statement.
      if (row === null && request.model === 'user' && request.join?.['account']) await findAccountsOf(store, nobody);
      return row;
    },
  };
}

const nobody = 'usr_';

function findAccountsOf(store: DBAdapter, userId: string): Promise<unknown[]> {
  return store.findMany({ model: 'account', where: [{ field: 'userId', value: userId }] });
}
