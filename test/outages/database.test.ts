/**
 * Each way in which a PostgreSQL can be away for a moment, with two nodes that share it. They run side by side: most of it is waiting.
 * The longer outages are beside this, in `stress`; here, `black-hole` and `program` have one each.
 */
import type { Client } from 'pg';
import pg from 'pg';
import { describe, it } from 'vitest';
import { hasCode } from '../../src/platform/files/system-error.js';
import { ourSessions, suffer } from './stage/node-outage.js';
import type { OwnPostgres } from './stage/own-postgres.js';

const promise = 'two nodes answer 503, lose no response and are well again without a restart';

describe(`${promise} if, for a moment, PostgreSQL`, () => {
  it.concurrent('is restarted', { timeout: 240_000 }, () =>
    suffer({
      name: 'restarted',
      begin: (postgres) => postgres.stop(),
      end: (postgres) => postgres.start(),
      lastsMs: 1_000,
    }),
  );

  it.concurrent('crashes', { timeout: 240_000 }, () =>
    suffer({
      name: 'crashed',
      begin: (postgres) => postgres.crash(),
      end: (postgres) => postgres.start(),
      lastsMs: 1_000,
    }),
  );

  it.concurrent('has no connection to give', { timeout: 240_000 }, async () => {
    const hoard = new Hoard();
    await suffer(
      {
        name: 'out of connections',
        begin: (postgres) => hoard.takeAll(postgres),
        end: () => hoard.release(),
        lastsMs: 4_000,
      },
      { maxConnections: 50 },
    );
  });
});

/** Takes every connection that there is, and those of the service as soon as they are free. */
class Hoard {
  readonly #clients: Client[] = [];

  async takeAll({ url }: OwnPostgres): Promise<void> {
    await this.#takeFree(url);
    const [first] = this.#clients;
    if (!first) throw new Error('No connection was free');
    do {
      await first.query(ourSessions.replace('SELECT pid', 'SELECT pg_terminate_backend(pid)'));
      await this.#takeFree(url);
    } while ((await first.query(ourSessions)).rows.length > 0);
  }

  async release(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.end()));
  }

  /** Several at a time, because the service wants them as well. */
  async #takeFree(url: string): Promise<void> {
    while ((await Promise.all(Array.from({ length: 8 }, () => this.#take(url)))).some((isTaken) => isTaken));
  }

  async #take(url: string): Promise<boolean> {
    const client = new pg.Client({ connectionString: url, application_name: 'hoard' });
    try {
      await client.connect();
      this.#clients.push(client);
      return true;
    } catch (error) {
      if (hasCode(error, '53300')) return false;
      throw error;
    }
  }
}
