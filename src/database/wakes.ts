/**
 * Wakes: what a statement says to the other parts of the service, and takes effect when its transaction commits. In SQL
 * `wake(channel, payload)` says one. `NOTIFY` within the transaction would do the same, but PostgreSQL then flushes one
 * commit at a time in the whole cluster; so a node gets its wakes back as messages, and passes them on after the commit.
 */
import pg from 'pg';

export interface Wake {
  channel: string;
  payload: string;
}

/** What the application name of a node begins with. To any other session, `wake` is `NOTIFY`. */
export const nodePrefix = 'skein node ';

/** The code of the messages, as in the function `wake`. */
const wakeCode = 'SKWKE';

/**
 * Creates a class of connections that hand over the wakes of each transaction once it has committed. PostgreSQL itself
 * tells when that is: with each statement it says whether a transaction is still open. A transaction that is rolled back,
 * or whose end is unknown because the connection broke, wakes nobody.
 */
export function wakingClient(onWake: (wake: Wake) => void): new (config?: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    #said: Wake[] = [];
    #failed = false;

    constructor(config?: pg.ClientConfig) {
      super(config);
      this.on('notice', ({ code, message = '', detail = '' }) => {
        if (code === wakeCode) this.#said.push({ channel: message, payload: detail });
      });
      this.connection.on('errorMessage', () => {
        this.#failed = true;
      });
      // The command is `ROLLBACK` also where a failed transaction was to be committed.
      this.connection.on('commandComplete', ({ text }: { text: string }) => {
        this.#failed = text === 'ROLLBACK';
      });
      this.connection.on('readyForQuery', ({ status }: { status: string }) => {
        if (status === 'I') this.#end();
      });
    }

    #end(): void {
      const said = this.#said.splice(0);
      if (!this.#failed) for (const wake of said) onWake(wake);
      this.#failed = false;
    }
  };
}
