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
import { loadAuthSecret } from './auth/secret.js';
import { createSessionReader } from './auth/session-cookie.js';
import { SignIn } from './auth/sign-in.js';
import type { Config } from './config.js';
import { createPrismaClient } from './database/client.js';
import { migrate } from './database/migrate.js';
import { withinMs } from './database/time-limit.js';
import { readForModel } from './modules/attachments/read-for-model.js';
import { ChangeSignals } from './modules/changes/change-signals.js';
import { Worker } from './modules/responses/worker.js';
import type { TokenLog } from './modules/tokens/token-log.js';
import { gaugesOf } from './process/gauges.js';
import { startHousekeeping } from './process/housekeeping.js';
import { startHttpServer } from './process/http-server.js';
import { Lifetime } from './process/lifetime.js';
import { listenFor } from './process/listen.js';
import { type DatabaseAddress, openDatabase } from './process/open-database.js';
import { createReachability } from './process/reachability.js';
import { defaultProcessSettings, type ProcessSettings } from './process/settings.js';
import { localFeed, postgresFeed, redisFeed, type TokenFeed } from './process/token-feed.js';

export interface ServiceOptions {
  config: Config;
  logger: Logger;
  settings?: Partial<ProcessSettings>;
}

export interface RunningService {
  url: string;
  database: PrismaClient;
  tokenLog: TokenLog;
  threadChanges: ChangeSignals;
  /** Ends the service; `graceMs` is how long running responses may go on. */
  stop(graceMs: number): Promise<void>;
  /** The part that `stop` waits for at this moment. */
  readonly ending: string | null;
}

/** How long a start that failed may take to end what it had started. */
const failedStartMs = 5_000;

/** Starts everything that the role of this process needs. What was started is ended again when a later part fails. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const lifetime = new Lifetime();
  try {
    return await start(options, lifetime);
  } catch (error) {
    // Neither a part that hangs nor one that fails to end may hide why the start failed.
    const ended = lifetime.end().catch((err: unknown) => options.logger.error({ err }, 'a part did not end cleanly'));
    await withinMs(failedStartMs, ended);
    throw error;
  }
}

async function start(
  { config, logger, settings: changed }: ServiceOptions,
  lifetime: Lifetime,
): Promise<RunningService> {
  const settings = { ...defaultProcessSettings, ...changed };
  const address = await openDatabase(config, logger);
  lifetime.endsWith('the database', address.close);
  await migrate({ url: address.directUrl, logger });
  const applicationName = `skein ${process.pid}@${hostname()}`.slice(0, 63);
  const connect = (maxConnections: number) => {
    const client = createPrismaClient({ url: address.url, applicationName, maxConnections, logger });
    lifetime.endsWith('the connections to the database', () => client.$disconnect());
    return client;
  };
  const database = connect(20);
  const feed = chooseFeed(config, { database, logger, isExclusive: address.exclusive });
  lifetime.endsWith('the token feed', () => feed.close());
  const threadChanges = new ChangeSignals();
  const parts = { config, logger, settings, address, database, feed, threadChanges };
  const worker = config.role === 'api' ? null : createWorker(parts, connect(2));
  const listener = await listenFor({ feed, threadChanges, worker }, { url: address.directUrl, logger });
  lifetime.endsWith('the listener', () => listener.close());
  const housekeeping = startHousekeeping(database, logger);
  lifetime.endsWith('housekeeping', () => housekeeping.stop());
  const server = await startHttpServer(await createHandler(parts, worker), config);
  lifetime.endsWith('the HTTP server', () => server.close());
  await worker?.start();
  lifetime.endsWith('the worker', () => worker?.stop(0) ?? Promise.resolve());
  const stop = async (graceMs: number) => {
    const closed = server.close();
    await lifetime.awaitEnd('the worker', worker?.stop(graceMs) ?? Promise.resolve());
    // While the log still has what the other processes lack.
    await lifetime.awaitEnd('the token feed', feed.close());
    // Streams end without `done`; what is still open after that is a client that does not read.
    feed.log.close();
    threadChanges.close();
    server.cutSoon();
    await lifetime.awaitEnd('the HTTP server', closed);
    await lifetime.end();
  };
  return {
    url: server.url,
    database,
    tokenLog: feed.log,
    threadChanges,
    stop,
    get ending() {
      return lifetime.ending;
    },
  };
}

function chooseFeed(
  { redisUrl }: Config,
  { isExclusive, ...options }: { database: PrismaClient; logger: Logger; isExclusive: boolean },
): TokenFeed {
  if (redisUrl !== undefined) return redisFeed({ url: redisUrl, logger: options.logger });
  return isExclusive ? localFeed() : postgresFeed(options);
}

interface Parts {
  config: Config;
  logger: Logger;
  settings: ProcessSettings;
  address: DatabaseAddress;
  database: PrismaClient;
  feed: TokenFeed;
  threadChanges: ChangeSignals;
}

function createWorker({ config, logger, settings, address, database, feed }: Parts, leases: PrismaClient): Worker {
  const processor = createProcessor({
    model: config.model,
    baseUrl: config.aiBaseUrl,
    apiKey: config.aiApiKey,
    systemPrompt: config.systemPrompt,
    readAttachments: (ids) => readForModel(database, ids),
  });
  return new Worker({
    ...settings,
    database,
    leases,
    processor,
    tokens: feed.writer,
    contextTokens: config.contextTokens,
    exclusive: address.exclusive,
    logger: logger.child({ part: 'worker' }),
  });
}

async function createHandler(parts: Parts, worker: Worker | null) {
  const { config, logger, settings, database, feed, threadChanges } = parts;
  const isReachable = createReachability(database);
  const operator = {
    isReady: () => isReachable().then((reachable) => reachable && (worker?.isAlive ?? true)),
    gauges: [...gaugesOf({ database, tokenLog: feed.log, threadChanges, worker }), ...feed.gauges],
  };
  if (config.role === 'worker') return createOperatorApp({ logger, operator }).callback();
  const wakeWorker = () => worker?.wake();
  const { publicUrl, openIdConnect } = config;
  const secret = await loadAuthSecret(database, config.authSecret);
  const readSession = createSessionReader({ secret, isSecure: publicUrl.startsWith('https://') });
  const services = { database, tokenLog: feed.log, threadChanges, wakeWorker, logger, publicUrl, readSession };
  const { signInLimits: limits, sse, webFolder } = settings;
  const authLogger = logger.child({ part: 'sign-in' });
  const signIn = new SignIn({ database, secret, publicUrl, logger: authLogger, limits, openIdConnect });
  return createApp({ services, operator, signIn, webFolder, sse, graphql: graphqlOf(config, settings) }).callback();
}

function graphqlOf(config: Config, { graphql }: ProcessSettings) {
  const { introspection, graphiql, trustedDocuments, streamsPerUser: perUser, streamsPerProcess: perProcess } = config;
  const streams = { perUser, perProcess, maxLifeMs: 15 * 60_000 };
  return { introspection, graphiql, trustedDocuments, streams, ...graphql };
}
