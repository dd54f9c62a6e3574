/**
 * Settings and time limits of statements behind a pooler. PgBouncer gives each transaction any connection of the server, and
 * accepts few settings at the start of a session, so they travel with each transaction: ahead of its first statement, in the
 * same messages. They cost no round trip, hold on whichever connection the transaction gets, and end with it, so that
 * other users of the pooler never meet them.
 */
import type pg from 'pg';

export type ClientClass = new (config?: pg.ClientConfig) => pg.Client;

/** Names and values are those of PostgreSQL; a number is one of milliseconds. */
export type Settings = Readonly<Record<string, string | number>>;

/** Creates a class of connections on which each transaction has these settings. */
export function transactionSettingClient(base: ClientClass, settings: Settings): ClientClass {
  return class extends base {
    constructor(config?: pg.ClientConfig) {
      super(config);
      settleTransactions(this.connection, settings);
    }
  };
}

/** What PostgreSQL answers to a statement, but for its errors. */
const answers = new Set<string | symbol>(['parseComplete', 'bindComplete', 'dataRow', 'commandComplete']);

function settleTransactions(connection: pg.Connection, settings: Settings): void {
  const entries = Object.entries(settings);
  const script = entries.map(([name, value]) => `SET LOCAL ${name} = '${value}'; `).join('');
  const statement = `SELECT ${entries.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`;
  /** Whether the next message begins a transaction. */
  let isIdle = false;
  /** How many of our own statements are still to be answered. The caller hears nothing of them. */
  let unanswered = 0;
  connection.prependListener('readyForQuery', ({ status }: { status: string }) => {
    isIdle = status === 'I';
    unanswered = 0;
  });
  const [emit, parse, bind, query] = [connection.emit, connection.parse, connection.bind, connection.query];
  /** In the extended protocol, all statements up to the next synchronization are one transaction. */
  const begin = () => {
    if (!isIdle) return;
    isIdle = false;
    unanswered = 1;
    parse.call(connection, { name: '', text: statement, types: [] }, true);
    bind.call(connection, {}, true);
    connection.execute(null, true);
  };
  connection.parse = (...message) => {
    begin();
    parse.apply(connection, message);
  };
  connection.bind = (...message) => {
    begin();
    bind.apply(connection, message);
  };
  connection.query = (text) => {
    if (isIdle) unanswered = entries.length;
    // A script is one transaction too, which `BEGIN` prolongs.
    query.call(connection, isIdle ? script + text : text);
    isIdle = false;
  };
  connection.emit = (name, ...content: unknown[]) => {
    if (unanswered === 0 || !answers.has(name)) return emit.call(connection, name, ...content);
    if (name === 'commandComplete') unanswered -= 1;
    return true;
  };
}
