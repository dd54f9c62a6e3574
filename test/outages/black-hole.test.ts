/** A network that makes connections and carries nothing over them: no error ever says that PostgreSQL is out of reach. */
import { describe, it } from 'vitest';
import { LosingProxy } from './stage/losing-proxy.js';
import { suffer } from './stage/node-outage.js';
import type { OwnPostgres } from './stage/own-postgres.js';

describe('two nodes answer 503, lose no response and recover without a restart if PostgreSQL', () => {
  it('is behind a network that drops everything', { timeout: 240_000 }, async () => {
    let proxy: LosingProxy | undefined;
    const through = async ({ url }: OwnPostgres) => {
      proxy = await LosingProxy.start(url);
      return proxy.urlOf(url);
    };
    await suffer(
      [
        {
          name: 'black hole',
          begin: async () => proxy?.silence(),
          end: async () => proxy?.restore(),
          lastsMs: 8_000,
        },
      ],
      { through },
    );
    await proxy?.close();
  });
});
