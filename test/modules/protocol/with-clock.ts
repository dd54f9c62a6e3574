import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.js';
import type { ProtocolWorld } from './protocol-world.js';

/** The database, by whose clock it is the time that `nowMs` gives, where only the time is asked for. */
export function withClock(world: ProtocolWorld, nowMs: () => number): PrismaClient {
  const { database } = world;
  const ask = (query: TemplateStringsArray | Prisma.Sql, ...values: (Prisma.Sql | number)[]) =>
    ('sql' in query ? query.sql : query.join('')).includes('"nowMs"')
      ? Promise.resolve([{ nowMs: nowMs() }])
      : database.$queryRaw(query, ...values);
  return new Proxy(database, { get: (target, name) => (name === '$queryRaw' ? ask : Reflect.get(target, name)) });
}
