/**
 * Starts and stops one process of the service: database, migrations, worker, HTTP, stopped in reverse order. On the
 * first signal it accepts no new work and lets running responses finish, also those of other processes that are streamed here;
 * streams end without `done`, so that their clients resume elsewhere or after the restart.
 */

import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { PrismaClient } from '../prisma/generated/client/client.js';
import { createApp, createOperatorApp } from './app.js';
import { modelFeatures } from './assistant/features/model-features.js';
import { loadAuthSecret } from './auth/secret.js';
import { createSessionReader } from './auth/session-cookie.js';
import { SignIn } from './auth/sign-in.js';
import type { Config } from './config.js';
import { createPrismaClient } from './database/client.js';
import type { Listener } from './database/listener.js';
import { migrate } from './database/migrations/migrate.js';
import type { Notification } from './database/notifications.js';
import { WriteAccess } from './database/write-access.js';
import { ChangeSignals } from './modules/feeds/change-signals.js';
import { OpenAccess } from './modules/identity/open-access.js';
import { ViewerCache } from './modules/identity/viewer-cache.js';
import { Presence } from './modules/presence/presence.js';
import { generationErrorCodes } from './modules/responses/generation/processor.js';
import { noSlots, type Slots } from './modules/responses/protocol/claim-at-once.js';
import type { Worker } from './modules/responses/worker/worker.js';
import type { TokenLog } from './modules/tokens/log/token-log.js';
import { Budgets } from './modules/usage/budgets/budgets.js';
import { noPrices, type Prices } from './modules/usage/prices.js';
import { ServiceMetrics } from './platform/metrics/service-metrics.js';
import { type HttpServer, startHttpServer } from './platform/server/http-server.js';
import { affordableConnections } from './platform/server/open-files.js';
import { forwardingStreams } from './platform/server/stream-forwarding.js';
import type { Tracing } from './platform/tracing/span.js';
import { startTracing } from './platform/tracing/start-tracing.js';
import { startAccessCheck } from './process/access-check.js';
import { createWorker } from './process/create-worker.js';
import { gaugesOf } from './process/gauges.js';
import type { Member } from './process/group/member.js';
import { Housekeeping } from './process/housekeeping.js';
import { createListener, listenFor, presenceChannel } from './process/listen.js';
import { startMetricsServer } from './process/metrics-server.js';
import { type DatabaseAddress, openDatabase } from './process/open-database.js';
import { type PoolName, Pools } from './process/pools.js';
import { createRates } from './process/rates.js';
import { Readiness } from './process/readiness.js';
import { SearchRebuild } from './process/search-rebuild.js';
import { graphqlOf, type ProcessSettings, settingsOf } from './process/settings.js';
import { type ResourceLimits, sharesOf } from './process/shares.js';
import { cleanupOnFailure, type ShutdownStack } from './process/shutdown-stack.js';
import { chooseFeed, type TokenFeed } from './process/token-feed.js';
import type { MetricSource, OperatorOptions } from './routes/operator.js';

export interface ServiceOptions {
  config: Config;
  logger: Logger;
  settings?: Partial<ProcessSettings>;
  /** The group whose processes share the port; undefined: this process is the only one. */
  group?: Member;
  /** Metrics of what runs beside the service in its process. */
  metricSources?: readonly MetricSource[];
}

export interface RunningService {
  url: string;
  /** The address of the port for metrics; null if it has none of its own. */
  metricsUrl: string | null;
  /** Where the other processes of the group reach this one; null without a group. */
  privatePort: number | null;
  database: PrismaClient;
  tokenLog: TokenLog;
  threadChanges: ChangeSignals;
  presence: Presence;
  /**
   * Stops the service. New requests are accepted for `drainMs` more (default: 0), while `/readyz` and every answer tell
   * clients to go elsewhere; running responses may continue for `graceMs`. Both times begin now.
   */
  stop(graceMs: number, drainMs?: number): Promise<void>;
  /** The part that `stop` is waiting for. */
  readonly ending: string | null;
}

/** Starts the parts for the role of this process. If one fails, those already started are stopped. */
export function startService(options: ServiceOptions): Promise<RunningService> {
  return cleanupOnFailure(options.logger, async (shutdown) => {
    const tracing = await startTracing(options.config.tracing, options.logger);
    // The first to start is the last to end, so that it has the spans of all others.
    if (tracing) shutdown.add('the export of traces', () => tracing.end());
    return start({ ...options, tracing }, shutdown);
  });
}

interface TracedOptions extends ServiceOptions {
  tracing: Tracing | null;
}

async function start(options: TracedOptions, shutdown: ShutdownStack): Promise<RunningService> {
  const { config, logger, settings: changed, group, metricSources = [], tracing } = options;
  const settings = { ...settingsOf(config), ...changed };
  const address = group ? addressOf(group) : await openMigrated(options, shutdown);
  const listener = createListener(address, config.role, logger);
  const metrics = new ServiceMetrics({ errorCodes: generationErrorCodes, features: modelFeatures });
  const measures = { metrics, tracing, pools: new Pools() };
  const writes = new WriteAccess(logger);
  const connect = connector(address, { config, logger, settings, shutdown, listener, writes, ...measures });
  const database = connect('requests', config.databaseConnections);
  const feed = chooseFeed(config, { database, logger, isExclusive: address.exclusive });
  shutdown.add('the token feed', () => feed.close());
  const live = { threadChanges: new ChangeSignals(), presence: presenceOn(listener, settings) };
  const access = { openAccess: new OpenAccess(), viewers: new ViewerCache(settings.viewerCache) };
  const accessCheck = startAccessCheck({ database, ...access, logger, intervalMs: settings.accessCheckMs });
  shutdown.add('the check of open streams', () => accessCheck.stop());
  const rates = createRates({ config, database, logger, isExclusive: address.exclusive, shutdown });
  const shares = sharesOf(config, settings);
  const readiness = new Readiness({ database, writes, group });
  const prices = config.prices ?? noPrices;
  const spending = { prices, budgets: new Budgets({ database, prices, limitsHit: metrics.limitsHit }) };
  const shared = { database, readiness, feed, ...live, ...access, rates, ...spending, shares, ...measures, listener };
  const parts = { config, logger, settings, group, metricSources, ...shared };
  const leases = connect('leases', 2);
  const worker = config.role === 'api' ? null : await createWorker({ ...parts, ...address, leases });
  await listenFor(listener, { feed, ...live, ...access, accessCheck, worker });
  shutdown.add('the listener', () => listener.close());
  const { server, metricsUrl } = await startServing({ ...parts, shutdown }, worker);
  await worker?.start();
  shutdown.add('the worker', () => worker?.stop(0) ?? Promise.resolve());
  return {
    url: server.url,
    metricsUrl,
    privatePort: server.privatePort,
    database,
    tokenLog: feed.log,
    ...live,
    stop: (graceMs, drainMs = 0) => stop({ ...parts, shutdown, server, worker }, { graceMs, drainMs }),
    get ending() {
      return shutdown.ending;
    },
  };
}

/** Starts what answers requests, and what it tells operators about. */
async function startServing({ shutdown, ...parts }: Parts & { shutdown: ShutdownStack }, worker: Worker | null) {
  const { config, logger, database, group, metrics, settings } = parts;
  const housekeeping = startHousekeeping({ database, logger, shutdown }, settings.housekeepingMs);
  startSearchRebuild({ database, logger, shutdown });
  const operator = operatorOf({ ...parts, housekeeping }, worker);
  const handler = await createHandler({ ...parts, slots: worker ?? noSlots }, operator);
  const server = await startHttpServer(group ? forwardingStreams(handler, group) : handler, {
    ...config,
    maxConnections: affordableConnections(config.maxConnections, logger),
    hasPrivatePort: group !== undefined,
    onRefused: () => metrics.limitsHit.hit('connections'),
  });
  shutdown.add('the HTTP server', () => server.close());
  return { server, metricsUrl: await startMetricsServer({ config, logger, metrics, shutdown }, operator) };
}

type BackgroundNeeds = Pick<Parts, 'database' | 'logger'> & { shutdown: ShutdownStack };

function startHousekeeping({ shutdown, ...needs }: BackgroundNeeds, intervalMs: number | null) {
  const housekeeping = new Housekeeping({ ...needs, ...(intervalMs !== null && { intervalMs }) });
  if (intervalMs !== null) housekeeping.start();
  shutdown.add('housekeeping', () => housekeeping.stop());
  return housekeeping;
}

function startSearchRebuild({ shutdown, ...needs }: BackgroundNeeds) {
  const rebuild = new SearchRebuild(needs);
  rebuild.start();
  shutdown.add('the index of words', () => rebuild.stop());
}

async function openMigrated({ config, logger }: ServiceOptions, shutdown: ShutdownStack): Promise<DatabaseAddress> {
  const address = await openDatabase(config, logger);
  shutdown.add('the database', address.close);
  await migrate({ url: address.directUrl, isDirect: address.isPooled, logger });
  return address;
}

/** The database that the primary process of the group opened. */
function addressOf({ membership }: Member): DatabaseAddress {
  return { ...membership.database, close: () => Promise.resolve() };
}

type Connector = (name: PoolName, maxConnections: number) => PrismaClient;

interface ConnectorParts extends ServiceOptions {
  settings: ProcessSettings;
  shutdown: ShutdownStack;
  listener: Listener;
  pools: Pools;
  writes: WriteAccess;
}

function connector(
  { url, isPooled }: DatabaseAddress,
  { config, logger, settings, shutdown, listener, pools, writes }: ConnectorParts,
): Connector {
  const applicationName = `${process.pid}@${hostname()}`;
  const { preparedStatements } = config;
  const onNotification = (notification: Notification) => listener.notify(notification);
  const limits = settings.statementLimits;
  const options = { url, isPooled, applicationName, preparedStatements, limits, onNotification, logger };
  return (name, maxConnections) => {
    const client = createPrismaClient({
      ...options,
      maxConnections,
      onPool: (pool) => {
        pools.add(name, pool);
        writes.watch(pool);
      },
    });
    shutdown.add('the connections to the database', () => client.$disconnect());
    return client;
  };
}

/** Nodes tell each other over the connection on which they listen. What they say is soon outdated, so none of it waits. */
function presenceOn(listener: Listener, { presence: times }: ProcessSettings): Presence {
  const tell = (payload: string) => {
    if (listener.isConnected) listener.notify({ channel: presenceChannel, payload });
  };
  return new Presence({ times, tell });
}

type Stoppable = Pick<Parts, 'readiness' | 'feed' | 'threadChanges' | 'presence'> & {
  shutdown: ShutdownStack;
  server: HttpServer;
  worker: Worker | null;
};

async function stop(
  { readiness, shutdown, server, worker, feed, threadChanges, presence }: Stoppable,
  { drainMs, graceMs }: { drainMs: number; graceMs: number },
): Promise<void> {
  readiness.leave();
  const drained = server.drain(drainMs);
  const graceOver = AbortSignal.timeout(graceMs);
  await shutdown.awaitEnd('the worker', worker?.stop(graceMs) ?? Promise.resolve());
  await shutdown.awaitEnd('the last requests', drained);
  await shutdown.awaitEnd('the streams of responses that run elsewhere', feed.log.unawaited(graceOver));
  // While the log still has the text that other processes lack.
  await shutdown.awaitEnd('the token feed', feed.close());
  // Streams end without `done`. Those still open afterwards belong to clients that do not read.
  feed.log.close();
  threadChanges.close();
  presence.close();
  await shutdown.awaitEnd('the requests under way', server.answered(graceOver));
  server.cutSoon();
  await shutdown.awaitEnd('the HTTP server', server.close());
  await shutdown.end();
}

interface Parts {
  readiness: Readiness;
  config: Config;
  logger: Logger;
  settings: ProcessSettings;
  group: Member | undefined;
  metricSources: readonly MetricSource[];
  database: PrismaClient;
  feed: TokenFeed;
  threadChanges: ChangeSignals;
  presence: Presence;
  openAccess: OpenAccess;
  viewers: ViewerCache;
  rates: ReturnType<typeof createRates>;
  prices: Prices;
  budgets: Budgets;
  shares: ResourceLimits;
  metrics: ServiceMetrics;
  tracing: Tracing | null;
  pools: Pools;
  listener: Listener;
}

function operatorOf(parts: Parts & { housekeeping: Housekeeping }, worker: Worker | null): OperatorOptions {
  const { config, readiness, group, feed, shares, metrics, pools, housekeeping } = parts;
  return {
    isReady: () => readiness.isReady(worker),
    sources: [
      ...gaugesOf({ ...parts, ...shares, tokenLog: feed.log, worker }),
      ...feed.metricSources,
      ...(group?.metricSources ?? []),
      ...housekeeping.metricSources,
      ...pools.metricSources,
      ...parts.metricSources,
    ],
    registry: metrics.registry,
    metricsToken: config.metricsToken,
    siblings: group,
  };
}

async function createHandler({ slots, ...parts }: Parts & { slots: Slots }, metricsOperator: OperatorOptions) {
  const { config, logger, settings, group, database, feed, threadChanges, openAccess, viewers, rates, shares } = parts;
  const { metrics, tracing, presence, prices, budgets } = parts;
  const operator = { ...metricsOperator, servesMetrics: config.metricsPort === config.port };
  if (config.role === 'worker') return createOperatorApp({ logger, metrics, operator }).callback();
  const { publicUrl, openIdConnect, models } = config;
  const secret = await loadAuthSecret(database, config.authSecret);
  const readSession = createSessionReader({ secret, isSecure: publicUrl.startsWith('https://') });
  const shared = { database, tokenLog: feed.log, threadChanges, openAccess, viewers, logger, metrics, tracing, rates };
  const services = { ...shared, ...shares, slots, presence, publicUrl, prices, budgets, models, readSession };
  const { signInLimits: limits, sse, webFolder } = settings;
  const reporting = { publicUrl, logger: logger.child({ part: 'sign-in' }) };
  const signIn = new SignIn({ ...reporting, database, secret, limits, openIdConnect });
  const graphql = { ...graphqlOf(config, settings), streamTokenPrefix: group ? `${group.number}-` : '' };
  return createApp({ services, operator, signIn, webFolder, sse, graphql }).callback();
}
