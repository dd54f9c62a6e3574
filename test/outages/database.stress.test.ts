/** The ways in which a PostgreSQL can be away for longer than a lease, with two nodes that share it: most of it is waiting. */
import { describe, it } from 'vitest';
import { type NodeOutage, suffer } from './stage/node-outage.js';

const promise = 'two nodes answer 503, lose no response and are well again without a restart';

describe(`${promise} if, for many seconds, PostgreSQL`, () => {
  it.concurrent.each<NodeOutage>([
    {
      name: 'is gone for 10 s',
      begin: (postgres) => postgres.stop(),
      end: (postgres) => postgres.start(),
      lastsMs: 10_000,
    },
    {
      name: 'freezes for longer than any limit',
      begin: (postgres) => postgres.freeze(),
      end: async (postgres) => postgres.thaw(),
      lastsMs: 8_000,
    },
  ])('$name', { timeout: 240_000 }, (trouble) => suffer([trouble]));
});
