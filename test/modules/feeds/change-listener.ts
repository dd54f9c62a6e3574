import pg from 'pg';

/** Hears which responses have changed, as every process of the service does. */
export class ChangeListener {
  #heard: string[] = [];

  private constructor(private readonly client: pg.Client) {
    client.on('notification', ({ payload }) => this.#heard.push(payload ?? ''));
  }

  static async open(url: string): Promise<ChangeListener> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('LISTEN response_changed');
    return new ChangeListener(client);
  }

  /** The message ids since the last call. What was committed before comes before the answer to a statement. */
  async take(): Promise<string[]> {
    await this.client.query('SELECT 1');
    return this.#heard.splice(0);
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
