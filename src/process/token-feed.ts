/**
 * How tokens reach viewers. In one process with a database of its own the worker writes straight into the log; where other
 * processes may share the database, PostgreSQL carries them between the logs.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { Listener } from '../database/listener.js';
import { PostgresFeedReader } from '../modules/tokens/postgres-feed-reader.js';
import { PostgresFeedWriter } from '../modules/tokens/postgres-feed-writer.js';
import { TokenLog, type TokenWriter } from '../modules/tokens/token-log.js';

export const tokenChannel = 'response_tokens';

export interface TokenFeed {
  /** What viewers of this process read. */
  log: TokenLog;
  /** What the worker of this process writes to. */
  writer: TokenWriter;
  listen(listener: Listener): void;
  /** Sends what is left to the other processes. */
  close(): Promise<void>;
}

export function localFeed(): TokenFeed {
  const log = new TokenLog();
  return { log, writer: log, listen: () => undefined, close: () => Promise.resolve() };
}

export function postgresFeed({ database, logger }: { database: PrismaClient; logger: Logger }): TokenFeed {
  const node = randomUUID();
  const followers = { follow: (id: string) => reader.follow(id), unfollow: (id: string) => reader.unfollow(id) };
  const log = new TokenLog({ followers });
  const reader = new PostgresFeedReader({ database, log, logger, node });
  const remote = new PostgresFeedWriter({ database, logger, node, channel: tokenChannel });
  return {
    log,
    writer: both(log, remote),
    listen: (listener) => {
      listener.on(tokenChannel, {
        onNotification: (payload) => reader.receive(payload),
        onReconnect: () => reader.reload(),
      });
    },
    close: () => remote.close(),
  };
}

/** The local log decides: what it refuses is not sent either. */
function both(log: TokenWriter, remote: TokenWriter): TokenWriter {
  return {
    open: (responseId, epoch) => log.open(responseId, epoch) && remote.open(responseId, epoch),
    append: (responseId, epoch, entry) =>
      log.append(responseId, epoch, entry) && remote.append(responseId, epoch, entry),
    end: (responseId, epoch) => {
      log.end(responseId, epoch);
      remote.end(responseId, epoch);
    },
  };
}
