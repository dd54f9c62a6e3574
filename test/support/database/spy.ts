/** A session that hears what is notified, and is not a node of the service. */
import pg from 'pg';

export class Spy {
  readonly #client: pg.Client;
  readonly #heard: string[] = [];

  private constructor(client: pg.Client) {
    this.#client = client;
    client.on('notification', ({ payload }) => this.#heard.push(payload ?? ''));
  }

  static async open(url: string, channels: readonly string[]): Promise<Spy> {
    const client = new pg.Client({ connectionString: url, application_name: 'spy' });
    await client.connect();
    const spy = new Spy(client);
    for (const channel of channels) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    return spy;
  }

  /** The payloads since the last call. What was committed before comes before the answer to a statement. */
  async take(): Promise<string[]> {
    await this.#client.query('SELECT 1');
    return this.#heard.splice(0);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
