/**
 * What a statement tells the other parts of the service once its transaction has committed. In SQL `wake(channel, payload)` says
 * it. `NOTIFY` within the transaction would do the same, but PostgreSQL then flushes one commit at a time in the whole cluster;
 * so a node gets its notifications back as messages, and passes them on after the commit.
 */
export interface Notification {
  channel: string;
  payload: string;
}

/** What the application name of a node begins with. To any other session, `wake` is `NOTIFY`. */
export const nodePrefix = 'skein node ';

/** The code of the messages, as in the function `wake`. */
export const notificationCode = 'SKWKE';
