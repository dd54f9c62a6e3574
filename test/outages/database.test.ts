/**
 * Each way in which a PostgreSQL can be away, one after the other, with two nodes that share it: for a moment, and behind a network
 * that makes connections and carries nothing over them, so that no error ever says that it is out of reach. The longer outages are
 * beside this, in `stress`; here, `program` has one.
 */
import type { Client } from 'pg';
import pg from 'pg';
import { it } from 'vitest';
import { hasCode } from '../../src/platform/files/system-error.js';
import { FaultyProxy } from '../support/network/faulty-proxy.js';
import { type NodeOutage, ourSessions, suffer } from './stage/node-outage.js';
import type { OwnPostgres } from './stage/own-postgres.js';

it('two nodes answer 503, lose no response and are well again without a restart if PostgreSQL is restarted, crashes, has no connection to give and is behind a network that drops everything', {
  timeout: 240_000,
}, async () => {
  const hoard = new Hoard();
  const restarted: NodeOutage = {
    name: 'restarted',
    begin: (postgres) => postgres.stop(),
    end: (postgres) => postgres.start(),
    lastsMs: 1_000,
  };
  const crashed: NodeOutage = { ...restarted, name: 'crashed', begin: (postgres) => postgres.crash() };
  const full: NodeOutage = {
    name: 'out of connections',
    begin: (postgres) => hoard.takeAll(postgres),
    end: () => hoard.release(),
    lastsMs: 4_000,
  };
  let way: Awaited<ReturnType<typeof FaultyProxy.before>> | undefined;
  const through = async ({ url }: OwnPostgres) => {
    way = await FaultyProxy.before(url);
    return way.url;
  };
  const silenced: NodeOutage = {
    name: 'black hole',
    begin: async () => way?.proxy.silence(),
    end: async () => way?.proxy.restore(),
    lastsMs: 8_000,
  };
  await suffer([restarted, crashed, full, silenced], { maxConnections: 50, through });
  await way?.proxy.close();
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
