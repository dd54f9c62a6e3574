/**
 * What statements tell the process that ran them, once their transaction has committed. A function in the database raises a
 * message of severity INFO, which every client receives whatever its settings, with a code of its own; nobody else hears it.
 */
import pg from 'pg';
import type { ClientClass } from './transaction-settings.js';

export interface CommittedMessage {
  message: string;
  detail: string;
}

/** By code of the message. Messages with other codes are dropped. */
export type MessageHandlers = ReadonlyMap<string, (message: CommittedMessage) => void>;

/**
 * Creates a class of connections that hand over the messages of each transaction once it has committed. PostgreSQL itself
 * tells when that is: with each statement it says whether a transaction is still open. Of a transaction that is rolled
 * back, or whose end is unknown because the connection broke, nothing is handed over.
 */
export function hearingClient(handlers: MessageHandlers): ClientClass {
  return class extends pg.Client {
    #pending: (() => void)[] = [];
    #failed = false;

    constructor(config?: pg.ClientConfig) {
      super(config);
      this.on('notice', ({ code = '', message = '', detail = '' }) => {
        const handle = handlers.get(code);
        if (handle) this.#pending.push(() => handle({ message, detail }));
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
      const pending = this.#pending.splice(0);
      if (!this.#failed) for (const handOver of pending) handOver();
      this.#failed = false;
    }
  };
}
