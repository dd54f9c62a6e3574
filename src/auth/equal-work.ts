/**
 * Makes the store do the same work for unknown addresses as for known ones, so that the response time does not tell
 * them apart. The library itself hashes the password in both cases.
 */
import type { DBAdapter } from 'better-auth';

interface Row {
  id?: string;
  userId?: string;
}

/**
 * Wraps a store. What belongs to a row takes a statement of its own, also where there is no row. The library would make
 * the same ones, but prints their errors past the log.
 */
export function withEqualWork(store: DBAdapter): DBAdapter {
  return {
    ...store,
    findOne: async <T>({ join = {}, ...request }: Parameters<DBAdapter['findOne']>[0]) => {
      const row = await store.findOne<T & Row>(request);
      const joined: Record<string, unknown> = {};
      for (const model of Object.keys(join)) joined[model] = await findOf(store, model, row);
      return row && { ...row, ...joined };
    },
  };
}

const nobody = 'usr_';

/** The user of a session or an account, or what a user has of a model. */
function findOf(store: DBAdapter, model: string, row: Row | null): Promise<unknown> {
  return model === 'user'
    ? store.findOne({ model, where: [{ field: 'id', value: row?.userId ?? nobody }] })
    : store.findMany({ model, where: [{ field: 'userId', value: row?.id ?? nobody }] });
}
