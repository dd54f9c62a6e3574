/**
 * Hashes session secrets on their way to the database, so that a leaked backup cannot be used to take over sessions.
 * The library sees the secret that it asked for, and digests of all others.
 */
import type { DBAdapter, Where } from 'better-auth';
import { sessionDigest } from '../modules/identity/session.js';

type Row = Record<string, unknown>;

/** Wraps a store; only `token` of the model `session` differs. */
export function withHashedTokens(store: DBAdapter): DBAdapter {
  const hashed: DBAdapter = {
    ...store,
    create: async <T extends Row, R = T>(request: Creation<T>) => {
      const { token }: { token?: unknown } = request.data;
      if (request.model !== 'session' || typeof token !== 'string') return store.create<T, R>(request);
      const data = { ...request.data, token: sessionDigest(token) };
      return withToken(await store.create<T, R>({ ...request, data }), token);
    },
    findOne: async (request) => withToken(await store.findOne(hashedWhere(request)), tokenOf(request)),
    findMany: (request) => store.findMany(hashedWhere(request)),
    count: (request) => store.count(hashedWhere(request)),
    update: async (request) => withToken(await store.update(hashedWhere(request)), tokenOf(request)),
    updateMany: (request) => store.updateMany(hashedWhere(request)),
    delete: (request) => store.delete(hashedWhere(request)),
    deleteMany: (request) => store.deleteMany(hashedWhere(request)),
    consumeOne: async (request) => withToken(await store.consumeOne(hashedWhere(request)), tokenOf(request)),
    incrementOne: async (request) => withToken(await store.incrementOne(hashedWhere(request)), tokenOf(request)),
    // Statements run without a transaction, so that each goes through the hashing too.
    transaction: (callback) => callback(hashed),
  };
  return hashed;
}

interface Creation<T> {
  model: string;
  data: Omit<T, 'id'>;
  select?: string[] | undefined;
  forceAllowId?: boolean | undefined;
}

interface Request {
  model: string;
  where?: Where[] | undefined;
}

/** The secret that the request looks up; undefined if it looks up something else. */
function tokenOf({ model, where }: Request): string | undefined {
  const value = model === 'session' ? where?.find(({ field }) => field === 'token')?.value : undefined;
  return typeof value === 'string' ? value : undefined;
}

function hashedWhere<R extends Request>(request: R): R {
  if (request.model !== 'session' || !request.where) return request;
  return { ...request, where: request.where.map(hashedCondition) };
}

function hashedCondition(condition: Where): Where {
  if (condition.field !== 'token') return condition;
  const { value } = condition;
  if (Array.isArray(value)) return { ...condition, value: value.map((token) => sessionDigest(String(token))) };
  return { ...condition, value: sessionDigest(String(value)) };
}

/** The row with the secret in place of its digest. */
function withToken<T>(row: T, token: string | undefined): T {
  if (token === undefined || typeof row !== 'object' || row === null) return row;
  return { ...row, token };
}
