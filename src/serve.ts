/**
 * One process of the service: database, schema, worker, HTTP; started in this order and ended in the reverse one. On the
 * first signal it takes nothing new and lets running responses finish; streams end without `done`, so that their clients
 * resume, elsewhere or after the restart.
 */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { PrismaClient } from '../prisma/generated/client/client.js';
import { createApp, createOperatorApp } from './app.js';
import { createProcessor } from './assistant/create-processor.js';
import type { Config } from './config.js';
import { createPrismaClient } from './database/client.js';
import { type Listener, startListener } from './database/listener.js';
import { migrate } from './database/migrate.js';
import { Worker } from './modules/responses/worker.js';
import type { TokenLog } from './modules/tokens/token-log.js';
import { gaugesOf } from './process/gauges.js';
import { startHousekeeping } from './process/housekeeping.js';
import { startHttpServer } from './process/http-server.js';
import { Lifetime } from './process/lifetime.js';
import { type DatabaseAddress, openDatabase } from './process/open-database.js';
import { defaultProcessSettings, type ProcessSettings } from './process/settings.js';
import { localFeed, postgresFeed, type TokenFeed, tokenChannel } from './process/token-feed.js';

export interface ServiceOptions {
  config: Config;
  logger: Logger;
  settings?: Partial<ProcessSettings>;
}

export interface RunningService {
  url: string;
  database: PrismaClient;
  tokenLog: TokenLog;
  /** Ends the service; `graceMs` is how long running responses may go on. */
  stop(graceMs: number): Promise<void>;
}

/** Starts everything that the role of this process needs. What was started is ended again when a later part fails. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const lifetime = new Lifetime();
  try {
    return await start(options, lifetime);
  } catch (error) {
    await lifetime.end();
    throw error;
  }
}

async function start(
  { config, logger, settings: changed }: ServiceOptions,
  lifetime: Lifetime,
): Promise<RunningService> {
  const settings = { ...defaultProcessSettings, ...changed };
  const address = await openDatabase(config, logger);
  lifetime.endsWith(address.close);
  await migrate({ url: address.directUrl, logger });
  const applicationName = `skein ${process.pid}@${hostname()}`.slice(0, 63);
  const database = createPrismaClient({ url: address.url, applicationName, maxConnections: 20, logger });
  lifetime.endsWith(() => database.$disconnect());
  const feed = address.exclusive ? localFeed() : postgresFeed({ database, logger });
  lifetime.endsWith(() => feed.close());
  const parts = { config, logger, settings, address, database, feed };
  const worker = config.role === 'api' ? null : createWorker(parts);
  const listener = await listenFor(parts, worker);
  lifetime.endsWith(() => listener.close());
  const housekeeping = startHousekeeping(database, logger);
  lifetime.endsWith(() => housekeeping.stop());
  const server = await startHttpServer(createHandler(parts, worker), config);
  lifetime.endsWith(() => server.close());
  await worker?.start();
  lifetime.endsWith(() => worker?.stop(0) ?? Promise.resolve());
  const stop = async (graceMs: number) => {
    const closed = server.close();
    await worker?.stop(graceMs);
    // Streams end without `done`; what is still open after that is a client that does not read.
    feed.log.close();
    server.cutSoon();
    await closed;
    await lifetime.end();
  };
  return { url: server.url, database, tokenLog: feed.log, stop };
}

interface Parts {
  config: Config;
  logger: Logger;
  settings: ProcessSettings;
  address: DatabaseAddress;
  database: PrismaClient;
  feed: TokenFeed;
}

function createWorker({ config, logger, settings, address, database, feed }: Parts): Worker {
  const processor = createProcessor({
    model: config.model,
    baseUrl: config.aiBaseUrl,
    apiKey: config.aiApiKey,
    systemPrompt: config.systemPrompt,
  });
  return new Worker({
    ...settings,
    database,
    processor,
    tokens: feed.writer,
    contextTokens: config.contextTokens,
    exclusive: address.exclusive,
    logger: logger.child({ part: 'worker' }),
  });
}

async function listenFor({ logger, address, feed }: Parts, worker: Worker | null): Promise<Listener> {
  const channels = ['response_queued', 'response_changed', 'response_stop', tokenChannel];
  const listener = await startListener({ url: address.directUrl, channels, applicationName: 'skein listen', logger });
  const wake = () => worker?.wake();
  listener.on('response_queued', { onNotification: wake, onReconnect: wake });
  listener.on('response_stop', {
    onNotification: (messageId) => worker?.stopResponse(messageId),
    onReconnect: () => undefined,
  });
  listener.on('response_changed', {
    onNotification: (responseId) => feed.log.nudge(responseId),
    onReconnect: () => feed.log.nudgeAll(),
  });
  feed.listen(listener);
  return listener;
}

function createHandler({ config, logger, settings, database, feed }: Parts, worker: Worker | null) {
  const operator = {
    isReady: () => isReachable(database).then((reachable) => reachable && (worker?.isAlive ?? true)),
    gauges: gaugesOf({ database, tokenLog: feed.log, worker }),
  };
  if (config.role === 'worker') return createOperatorApp({ logger, operator }).callback();
  const wakeWorker = () => worker?.wake();
  const services = { database, tokenLog: feed.log, wakeWorker, logger, publicUrl: config.publicUrl };
  return createApp({ services, operator, sse: settings.sse }).callback();
}

function isReachable(database: PrismaClient): Promise<boolean> {
  return database.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
}
