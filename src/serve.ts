/**
 * Starts and stops one process of the service: database, migrations, worker, HTTP, stopped in reverse order. On the
 * first signal it accepts no new work and lets running responses finish; streams end without `done`, so that their
 * clients resume elsewhere or after the restart.
 */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { PrismaClient } from '../prisma/generated/client/client.js';
import { createApp, createOperatorApp } from './app.js';
import { loadAuthSecret } from './auth/secret.js';
import { createSessionReader } from './auth/session-cookie.js';
import { SignIn } from './auth/sign-in.js';
import type { Config } from './config.js';
import { createPrismaClient } from './database/client.js';
import type { Listener } from './database/listener.js';
import { migrate } from './database/migrations/migrate.js';
import type { Wake } from './database/wakes.js';
import { ChangeSignals } from './modules/feeds/change-signals.js';
import { OpenAccess } from './modules/identity/open-access.js';
import { ViewerCache } from './modules/identity/viewer-cache.js';
import type { Worker } from './modules/responses/worker/worker.js';
import type { TokenLog } from './modules/tokens/log/token-log.js';
import { startAccessCheck } from './process/access-check.js';
import { createWorker } from './process/create-worker.js';
import { gaugesOf } from './process/gauges.js';
import { graphqlOf } from './process/graphql-settings.js';
import type { Member } from './process/group/member.js';
import { type GroupServer, startServers } from './process/group/servers.js';
import { Housekeeping } from './process/housekeeping.js';
import { createListener, listenFor } from './process/listen.js';
import { type DatabaseAddress, openDatabase } from './process/open-database.js';
import { createRates } from './process/rates.js';
import { createReachability } from './process/reachability.js';
import { defaultProcessSettings, type ProcessSettings } from './process/settings.js';
import { poolSize, type SharedThings, sharesOf } from './process/shares.js';
import { type ShutdownStack, undoingFailure } from './process/shutdown-stack.js';
import { chooseFeed, type TokenFeed } from './process/token-feed.js';
import { inTurns } from './server/admission.js';

export interface ServiceOptions {
  config: Config;
  logger: Logger;
  settings?: Partial<ProcessSettings>;
  /** The group whose processes share the port; undefined: this process is the only one. */
  group?: Member;
}

export interface RunningService {
  url: string;
  /** Where the other processes of the group reach this one; null without a group. */
  privatePort: number | null;
  database: PrismaClient;
  tokenLog: TokenLog;
  threadChanges: ChangeSignals;
  /** Stops the service; `graceMs` is how long running responses may continue. */
  stop(graceMs: number): Promise<void>;
  /** The part that `stop` is waiting for. */
  readonly ending: string | null;
}

/** Starts the parts for the role of this process. If one fails, those already started are stopped. */
export function startService(options: ServiceOptions): Promise<RunningService> {
  return undoingFailure(options.logger, (shutdown) => start(options, shutdown));
}

async function start(options: ServiceOptions, shutdown: ShutdownStack): Promise<RunningService> {
  const { config, logger, settings: changed, group } = options;
  const settings = { ...defaultProcessSettings, concurrency: config.responsesPerProcess, ...changed };
  const address = group ? addressOf(group) : await openMigrated(options, shutdown);
  const listener = createListener(address, logger);
  const connect = connector(address, { config, logger, settings, shutdown, listener });
  const database = connect(poolSize);
  const feed = chooseFeed(config, { database, logger, isExclusive: address.exclusive });
  shutdown.add('the token feed', () => feed.close());
  const threadChanges = new ChangeSignals();
  const access = { openAccess: new OpenAccess(), viewers: new ViewerCache() };
  const accessCheck = startAccessCheck({ database, ...access, logger, intervalMs: settings.accessCheckMs });
  shutdown.add('the check of open streams', () => accessCheck.stop());
  const rates = createRates({ config, database, logger, isExclusive: address.exclusive, shutdown });
  const shares = sharesOf(config, settings);
  const parts = { config, logger, settings, group, address, database, feed, threadChanges, ...access, rates, shares };
  const worker = config.role === 'api' ? null : await createWorker({ ...parts, ...address, leases: connect(2) });
  await listenFor(listener, { feed, threadChanges, ...access, accessCheck, worker });
  shutdown.add('the listener', () => listener.close());
  const housekeeping = startHousekeeping({ database, logger, shutdown });
  const handler = await createHandler({ ...parts, housekeeping }, worker);
  const server = await startServers(inTurns(handler, shares.knownCallers.partyOfRequest), { config, group });
  shutdown.add('the HTTP server', () => server.close());
  await worker?.start();
  shutdown.add('the worker', () => worker?.stop(0) ?? Promise.resolve());
  return {
    url: server.url,
    privatePort: server.privatePort,
    database,
    tokenLog: feed.log,
    threadChanges,
    stop: (graceMs) => stop({ shutdown, server, worker, feed, threadChanges }, graceMs),
    get ending() {
      return shutdown.ending;
    },
  };
}

function startHousekeeping({ shutdown, ...needs }: Pick<Parts, 'database' | 'logger'> & { shutdown: ShutdownStack }) {
  const housekeeping = new Housekeeping(needs);
  housekeeping.start();
  shutdown.add('housekeeping', () => housekeeping.stop());
  return housekeeping;
}

async function openMigrated({ config, logger }: ServiceOptions, shutdown: ShutdownStack): Promise<DatabaseAddress> {
  const address = await openDatabase(config, logger);
  shutdown.add('the database', address.close);
  await migrate({ url: address.directUrl, logger });
  return address;
}

/** The database that the primary process of the group opened. */
function addressOf({ membership: { url, directUrl, startsAlone } }: Member): DatabaseAddress {
  return { url, directUrl, startsAlone, exclusive: false, close: () => Promise.resolve() };
}

type Connector = (maxConnections: number) => PrismaClient;

interface ConnectorParts extends ServiceOptions {
  settings: ProcessSettings;
  shutdown: ShutdownStack;
  listener: Listener;
}

function connector(
  { url }: DatabaseAddress,
  { config, logger, settings, shutdown, listener }: ConnectorParts,
): Connector {
  const applicationName = `${process.pid}@${hostname()}`;
  const { preparedStatements } = config;
  const onWake = (wake: Wake) => listener.wake(wake);
  const options = { url, applicationName, preparedStatements, limits: settings.statementLimits, onWake, logger };
  return (maxConnections) => {
    const client = createPrismaClient({ ...options, maxConnections });
    shutdown.add('the connections to the database', () => client.$disconnect());
    return client;
  };
}

interface Stoppable {
  shutdown: ShutdownStack;
  server: GroupServer;
  worker: Worker | null;
  feed: TokenFeed;
  threadChanges: ChangeSignals;
}

async function stop({ shutdown, server, worker, feed, threadChanges }: Stoppable, graceMs: number): Promise<void> {
  const closed = server.close();
  await shutdown.awaitEnd('the worker', worker?.stop(graceMs) ?? Promise.resolve());
  // While the log still has the text that other processes lack.
  await shutdown.awaitEnd('the token feed', feed.close());
  // Streams end without `done`. Those still open afterwards belong to clients that do not read.
  feed.log.close();
  threadChanges.close();
  server.cutSoon();
  await shutdown.awaitEnd('the HTTP server', closed);
  await shutdown.end();
}

interface Parts {
  config: Config;
  logger: Logger;
  settings: ProcessSettings;
  group: Member | undefined;
  address: DatabaseAddress;
  database: PrismaClient;
  feed: TokenFeed;
  threadChanges: ChangeSignals;
  openAccess: OpenAccess;
  viewers: ViewerCache;
  rates: ReturnType<typeof createRates>;
  shares: SharedThings;
}

async function createHandler(parts: Parts & { housekeeping: Housekeeping }, worker: Worker | null) {
  const { config, logger, settings, group, database, feed, threadChanges, openAccess, viewers, rates, shares } = parts;
  const isReachable = createReachability(database);
  const operator = {
    isReady: () => isReachable().then((reachable) => reachable && (worker?.isAlive ?? true)),
    gauges: [...gaugesOf({ ...parts, ...shares, tokenLog: feed.log, worker }), ...feed.gauges],
    counters: parts.housekeeping.counters,
    metricsToken: config.metricsToken,
    siblings: group,
  };
  if (config.role === 'worker') return createOperatorApp({ logger, operator }).callback();
  const { publicUrl, openIdConnect } = config;
  const secret = await loadAuthSecret(database, config.authSecret);
  const readSession = createSessionReader({ secret, isSecure: publicUrl.startsWith('https://') });
  const shared = { database, tokenLog: feed.log, threadChanges, openAccess, viewers, logger, rates };
  const services = { ...shared, ...shares, publicUrl, readSession };
  const { signInLimits: limits, sse, webFolder } = settings;
  const reporting = { publicUrl, logger: logger.child({ part: 'sign-in' }) };
  const signIn = new SignIn({ ...reporting, database, secret, limits, openIdConnect });
  const graphql = { ...graphqlOf(config, settings), streamTokenPrefix: group ? `${group.number}-` : '' };
  return createApp({ services, operator, signIn, webFolder, sse, graphql }).callback();
}
