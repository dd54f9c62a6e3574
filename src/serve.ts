/**
 * The whole service in one process: database, schema, worker, HTTP; started in this order and ended in the reverse one. On
 * the first signal it takes nothing new and lets running responses finish; streams end without `done`, so that their
 * clients resume. A second signal ends it at once.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { PrismaClient } from '../prisma/generated/client/client.js';
import { createApp } from './app.js';
import { createProcessor } from './assistant/create-processor.js';
import type { Config } from './config.js';
import { createPrismaClient } from './database/client.js';
import { startListener } from './database/listener.js';
import { migrate } from './database/migrate.js';
import { forgetOldKeys } from './modules/messages/idempotency.js';
import { defaultGenerationLimits, type GenerationLimits } from './modules/responses/generation-limits.js';
import { defaultLeaseSettings, type LeaseSettings } from './modules/responses/lease-settings.js';
import type { Processor } from './modules/responses/processor.js';
import { defaultRetrySettings, type RetrySettings } from './modules/responses/retry.js';
import { Ticker } from './modules/responses/ticker.js';
import { Worker } from './modules/responses/worker.js';
import { TokenLog } from './modules/tokens/token-log.js';
import { openDatabase } from './open-database.js';
import { defaultSseTimes } from './rest/sse.js';

/** What an operator need not know of; tests make it faster. */
export interface ServiceSettings {
  lease: LeaseSettings;
  limits: GenerationLimits;
  retry: RetrySettings;
  sse: { pingMs: number; stallMs: number };
  /** Responses that run at the same time. */
  concurrency: number;
  queueLimitMs: number;
}

const defaultSettings: ServiceSettings = {
  lease: defaultLeaseSettings,
  limits: defaultGenerationLimits,
  retry: defaultRetrySettings,
  sse: defaultSseTimes,
  concurrency: 64,
  queueLimitMs: 600_000,
};

export interface ServiceOptions {
  config: Config;
  logger: Logger;
  settings?: Partial<ServiceSettings>;
}

export interface RunningService {
  url: string;
  database: PrismaClient;
  tokenLog: TokenLog;
  /** Ends the service; `graceMs` is how long running responses may go on. */
  stop(graceMs: number): Promise<void>;
}

/** Starts everything. What was started is ended again when a later part fails. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const lifetime = new Lifetime();
  try {
    return await start(options, lifetime);
  } catch (error) {
    await lifetime.end();
    throw error;
  }
}

/** The ends of what was started, run in the reverse order. */
class Lifetime {
  readonly #ends: (() => Promise<unknown>)[] = [];

  endsWith(end: () => Promise<unknown>): void {
    this.#ends.unshift(end);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }
}

async function start(
  { config, logger, settings: changed }: ServiceOptions,
  lifetime: Lifetime,
): Promise<RunningService> {
  const settings = { ...defaultSettings, ...changed };
  const address = await openDatabase(config, logger);
  lifetime.endsWith(address.close);
  await migrate({ url: address.directUrl, logger });
  const database = createPrismaClient({ url: address.url, applicationName: 'skein', maxConnections: 20, logger });
  lifetime.endsWith(() => database.$disconnect());
  const tokenLog = new TokenLog();
  const worker = new Worker({
    ...settings,
    database,
    processor: processorOf(config),
    tokens: tokenLog,
    contextTokens: config.contextTokens,
    exclusive: address.exclusive,
    logger: logger.child({ part: 'worker' }),
  });
  const listener = await startListener({
    url: address.directUrl,
    channels: ['response_queued', 'response_changed'],
    applicationName: 'skein listen',
    logger,
  });
  lifetime.endsWith(() => listener.close());
  listener.on('response_queued', { onNotification: () => worker.wake(), onReconnect: () => worker.wake() });
  listener.on('response_changed', {
    onNotification: (responseId) => tokenLog.nudge(responseId),
    onReconnect: () => tokenLog.nudgeAll(),
  });
  const services = { database, tokenLog, wakeWorker: () => worker.wake(), logger, publicUrl: config.publicUrl };
  const app = createApp({ services, isReady: () => isReady(database, worker), sse: settings.sse });
  const server = createServer(app.callback());
  const housekeeping = new Ticker(600_000, () =>
    forgetOldKeys(database).catch(logFailure(logger, 'old keys were not removed')),
  );
  housekeeping.start();
  lifetime.endsWith(() => housekeeping.stop());
  await worker.start();
  lifetime.endsWith(() => worker.stop(0));
  const url = await listen(server, config);
  const stop = async (graceMs: number) => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await worker.stop(graceMs);
    // Streams end without `done`; what is still open after that is a client that does not read.
    tokenLog.close();
    setTimeout(() => server.closeAllConnections(), 500).unref();
    await closed;
    await lifetime.end();
  };
  return { url, database, tokenLog, stop };
}

function logFailure(logger: Logger, message: string): (error: unknown) => void {
  return (error) => logger.warn({ err: error }, message);
}

function processorOf(config: Config): Processor {
  return createProcessor({
    model: config.model,
    baseUrl: config.aiBaseUrl,
    apiKey: config.aiApiKey,
    systemPrompt: config.systemPrompt,
  });
}

async function isReady(database: PrismaClient, worker: Worker): Promise<boolean> {
  const answer = database.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
  return worker.isAlive && answer;
}

function listen(server: Server, { host, port }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const { port: bound } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}
