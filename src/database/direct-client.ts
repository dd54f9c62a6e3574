/**
 * A connection to the server itself, not to a pooler, for work that needs one session from its beginning to its end. It uses
 * a socket of the caller's, so that it can be closed in the middle of a statement, and to a peer that is dead.
 */
import type { Socket } from 'node:net';
import pg from 'pg';

/** The types leave out which server process the client was told of at its start. */
export type DirectClient = pg.Client & { readonly processID?: number };

export interface DirectClientOptions {
  url: string;
  applicationName: string;
  socket: Socket;
}

/** A client that is not connected yet. */
export function directClient({ url, applicationName, socket }: DirectClientOptions): DirectClient {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => socket,
  });
  // A connection that breaks between two queries fails the next one; without a handler it would end the process.
  client.on('error', () => undefined);
  return client;
}

/** Whether a pooler answers in place of the server: it gives each transaction another session, and names none of them. */
export async function leadsToPooler(client: DirectClient): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== client.processID;
}
