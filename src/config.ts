/**
 * Reads the configuration from environment variables into a frozen object. All problems are reported together, before
 * anything starts. No other file reads the environment.
 */
import type { ModelConnection } from './assistant/create-processor.js';
import { type ModelFeature, readFeatures } from './assistant/features/model-features.js';
import {
  allModels,
  type ConfiguredModels,
  connectedProvider,
  modelChoices,
  providerOf,
  readModelList,
  readModelNames,
} from './assistant/model-list.js';
import { parseModelName } from './assistant/model-name.js';
import type { OpenIdConnect } from './auth/openid-connect/openid-connect.js';
import { readOpenIdConnect } from './auth/openid-connect/read-openid-connect.js';
import { readDatabaseUrl } from './database/database-url.js';
import { readDocumentList } from './graphql/documents/document-list.js';
import type { AttachmentStorage } from './modules/attachments/storage.js';
import type { ModelChoice } from './modules/models/model-choice.js';
import { readRedisUrl } from './modules/tokens/redis/redis-url.js';
import { type Prices, readPrices } from './modules/usage/prices.js';
import { type Environment, EnvironmentReader } from './platform/environment/environment-reader.js';
import { readHeaders } from './platform/environment/pairs.js';
import type { CallLimits } from './platform/rates/rates.js';
import { readRateLimits } from './platform/rates/read-limits.js';
import { readTracing, type TracingSettings } from './platform/tracing/read-tracing.js';

export interface Config {
  host: string;
  port: number;
  /**
   * The origin under which people reach the service, used in links such as `app_url`. With https, responses have HSTS.
   */
  publicUrl: string;
  /** The data directory; undefined: the default of the embedded database. */
  dataDir: string | undefined;
  /** Directory with `initdb` and `postgres` to use instead of the embedded binaries. */
  pgBinDir: string | undefined;
  /** Directory with the programs of the PostgreSQL that made the embedded database, if it was another major version. */
  oldPgBinDir: string | undefined;
  /** Undefined: use the embedded database. */
  databaseUrl: string | undefined;
  directDatabaseUrl: string | undefined;
  /** Whether statements are prepared. */
  preparedStatements: boolean;
  /** Undefined: PostgreSQL carries tokens between processes. */
  redisUrl: string | undefined;
  /** The part of the service that this process runs: `all`, or only `api` or `worker`. */
  role: Role;
  /** How many processes serve, behind one port. */
  processes: number;
  /** Connections to the database for requests of one process. */
  databaseConnections: number;
  /** MiB that the embedded database shares between its sessions. */
  databaseMemory: number;
  /** How long a worker may be silent before others reclaim its responses, and a response may take with all its attempts. */
  leaseSeconds: number;
  responseSeconds: number;
  /** How long a model may take to begin, and be silent within an answer. */
  firstTokenSeconds: number;
  silenceSeconds: number;
  /** How often a model may be called for one response. */
  callsPerResponse: number;
  /** How long running responses may continue after a signal, and new requests after SIGTERM. */
  graceSeconds: number;
  drainSeconds: number;
  model: string;
  /** The models that answer when it does not, in the order of preference. */
  fallbackModels: readonly string[];
  /** The models that may be chosen, with the default one. */
  models: readonly ModelChoice[];
  aiConnection: ModelConnection;
  /** What requests to models do without, and whether the models' templates open the thinking. */
  modelWithout: readonly ModelFeature[] | null;
  opensThinking: boolean;
  systemPrompt: string;
  contextTokens: number;
  /** Whether the model names threads that nobody has named. */
  threadNames: boolean;
  /** MiB of attachments in transit to the model. */
  attachmentMemory: number;
  /** Seconds that a message may be queued while a worker is alive; 0: no limit. */
  queueLimitSeconds: number;
  /** What tokens cost, by model; null: nothing is known. */
  prices: Prices | null;
  logLevel: LogLevel;
  /** Whether GraphQL introspection is available, and whether browsers get GraphiQL. */
  introspection: boolean;
  graphiql: boolean;
  /** The only GraphQL documents that are executed; null: any document. */
  trustedDocuments: ReadonlyMap<string, string> | null;
  /** Signs session cookies; undefined: use a random key in the database. */
  authSecret: string | undefined;
  /** The OpenID Connect provider for sign-in; null: none. */
  openIdConnect: OpenIdConnect | null;
  /** Maximum number of running responses in a process: in total, per user and per organization. */
  responsesPerProcess: number;
  responsesPerUser: number;
  responsesPerOrganization: number;
  /** Maximum number of concurrent operations of a user in a process. */
  operationsPerUser: number;
  maxConnections: number;
  /** Minimum average rate of a request body, after ten seconds. */
  bodyBytesPerSecond: number;
  /** MiB of attachments in memory; a user may use a quarter, an organization half. */
  transferMemory: number;
  /** Maximum MiB of stored attachments; null: no limit. */
  attachmentStorage: AttachmentStorage;
  /** MiB for large responses that are being built or sent. The largest one must fit into a user's share, a quarter. */
  answerMemory: number;
  /** Maximum number of passwords hashed concurrently; at most one per IP address. */
  passwordHashes: number;
  /** The bearer token for `/metrics`; undefined: none required. */
  metricsToken: string | undefined;
  /** The port of `/metrics`, which may be that of the service. */
  metricsPort: number;
  /** Where traces are sent, and which; null: nowhere. */
  tracing: TracingSettings | null;
  /** Requests and messages per minute. */
  rateLimits: CallLimits;
  streamsPerUser: number;
  streamsPerOrganization: number;
  streamsPerProcess: number;
}

const roles = ['all', 'api', 'worker'] as const;
export type Role = (typeof roles)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const switches = ['on', 'off'] as const;

/** All problems of the configuration, one per line. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Throws a `ConfigError` that names every invalid variable. */
export function readConfig(environment: Environment = process.env): Config {
  const read = new EnvironmentReader(environment);
  const port = read.integer('PORT', 4000, { min: 0, max: 65_535 });
  const config: Config = {
    host: read.text('HOST') ?? '127.0.0.1',
    port,
    publicUrl: read.origin('PUBLIC_URL') ?? `http://localhost:${port}`,
    dataDir: read.text('DATA_DIR'),
    pgBinDir: read.text('PG_BIN_DIR'),
    oldPgBinDir: read.text('OLD_PG_BIN_DIR'),
    databaseUrl: read.parsed('DATABASE_URL', readDatabaseUrl) ?? undefined,
    directDatabaseUrl: read.parsed('DIRECT_DATABASE_URL', readDatabaseUrl) ?? undefined,
    preparedStatements: read.choice('PREPARED_STATEMENTS', switches, hasPooler(read) ? 'off' : 'on') === 'on',
    redisUrl: read.parsed('REDIS_URL', readRedisUrl) ?? undefined,
    role: read.choice('ROLE', roles, 'all'),
    ...readEnding(read),
    ...readDeadlines(read),
    ...readSizes(read),
    ...readModel(read),
    queueLimitSeconds: read.integer('QUEUE_LIMIT_SECONDS', 0, { min: 0, max: 31_536_000 }),
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
    introspection: read.choice('GRAPHQL_INTROSPECTION', switches, 'on') === 'on',
    graphiql: read.choice('GRAPHIQL', switches, 'off') === 'on',
    trustedDocuments: read.parsed('TRUSTED_DOCUMENTS', readDocumentList),
    authSecret: read.secret('AUTH_SECRET', 32),
    openIdConnect: readOpenIdConnect(read),
    metricsToken: readMetricsToken(read),
    metricsPort: read.integer('METRICS_PORT', port, { min: 1, max: 65_535 }),
    tracing: readTracing(read),
    ...readShares(read),
  };
  refuseOldNames(read);
  checkTogether(read, config);
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return Object.freeze(config);
}

function readMetricsToken(read: EnvironmentReader): string | undefined {
  const token = read.secret('METRICS_TOKEN', 16);
  // A header cannot carry anything else, so every request would be refused.
  if (token && /[^!-~]/.test(token)) read.problems.push('METRICS_TOKEN: use only ASCII characters, without spaces');
  return token;
}

function readModel(read: EnvironmentReader) {
  return {
    ...readModels(read),
    aiConnection: {
      baseUrl: read.url('AI_BASE_URL', ['http:', 'https:']),
      apiKey: read.text('AI_API_KEY'),
      headers: read.parsed('AI_HEADERS', readHeaders),
    },
    modelWithout: read.parsed('AI_WITHOUT', readFeatures),
    opensThinking: read.choice('AI_THINKS_FIRST', switches, 'off') === 'on',
    systemPrompt: read.text('AI_SYSTEM_PROMPT') ?? defaultSystemPrompt,
    threadNames: read.choice('AI_THREAD_NAMES', switches, 'on') === 'on',
    contextTokens: read.integer('AI_CONTEXT_TOKENS', 100_000, { min: 1000, max: 100_000_000 }),
    attachmentMemory: read.integer('AI_ATTACHMENT_MEMORY', 128, { min: 1, max: 1_000_000 }),
    prices: read.parsed('AI_PRICES', readModelPrices),
  };
}

/** A price under a name that no model can have would never count. */
function readModelPrices(json: string): Prices {
  const prices = readPrices(json);
  for (const model of prices.keys()) parseModelName(model);
  return prices;
}

function readModels(read: EnvironmentReader): ConfiguredModels {
  const listed = read.parsed('AI_MODELS', readModelList);
  const problems = read.problems.length;
  const [model = 'demo', ...fallbackModels] = read.parsed('AI_MODEL', readModelNames) ?? [];
  // Without the names that were meant, the keys that they require are not known either.
  const models = read.problems.length > problems ? [] : modelChoices(listed ?? [], model);
  return { model, fallbackModels, models };
}

/** Limits on what users of a process share. Unless stated, one user or organization always leaves slots for the next. */
function readShares(read: EnvironmentReader) {
  const slots = read.integer('RESPONSES_PER_PROCESS', 256, { min: 1, max: 100_000 });
  const [half, most] = [Math.ceil(slots / 2), Math.ceil((slots * 3) / 4)];
  return {
    responsesPerProcess: slots,
    responsesPerUser: read.integer('RESPONSES_PER_USER', half, { min: 1, max: 100_000 }),
    responsesPerOrganization: read.integer('RESPONSES_PER_ORGANIZATION', most, { min: 1, max: 100_000 }),
    operationsPerUser: read.integer('OPERATIONS_PER_USER', 8, { min: 1, max: 10_000 }),
    maxConnections: read.integer('MAX_CONNECTIONS', 10_000, { min: 10, max: 1_000_000 }),
    bodyBytesPerSecond: read.integer('BODY_BYTES_PER_SECOND', 16_384, { min: 1, max: 100_000_000 }),
    transferMemory: read.integer('TRANSFER_MEMORY', 128, { min: 1, max: 1_000_000 }),
    attachmentStorage: {
      perUser: read.rate('ATTACHMENT_STORAGE_PER_USER', 0),
      perOrganization: read.rate('ATTACHMENT_STORAGE_PER_ORGANIZATION', 0),
    },
    answerMemory: read.integer('ANSWER_MEMORY', 128, { min: 128, max: 1_000_000 }),
    passwordHashes: read.integer('PASSWORD_HASHES', 2, { min: 1, max: 1000 }),
    rateLimits: readRateLimits(read),
    streamsPerUser: read.integer('STREAMS_PER_USER', 1000, { min: 1, max: 1_000_000 }),
    streamsPerOrganization: read.integer('STREAMS_PER_ORGANIZATION', 5000, { min: 1, max: 1_000_000 }),
    streamsPerProcess: read.integer('STREAMS_PER_PROCESS', 5000, { min: 1, max: 1_000_000 }),
  };
}

/** Names of earlier versions, with what replaces them. */
const renamed = {
  RESPONSE_SECONDS: 'AI_RESPONSE_SECONDS',
  AI_START_SECONDS: 'AI_FIRST_TOKEN_SECONDS',
  TRANSFER_BYTES: 'TRANSFER_MEMORY, in MiB',
};

/** Names of earlier versions without a successor, with what holds now. */
const removed = {
  CONNECTIONS_PER_ADDRESS: 'one public address gets a quarter of MAX_CONNECTIONS',
};

function refuseOldNames(read: EnvironmentReader): void {
  for (const [old, name] of Object.entries(renamed)) {
    if (read.text(old) !== undefined) read.problems.push(`${old}: is now called ${name}; rename it`);
  }
  for (const [old, now] of Object.entries(removed)) {
    if (read.text(old) !== undefined) read.problems.push(`${old}: no longer exists, because ${now}; remove it`);
  }
}

/** Each ends what the next one would wait for in vain, so a longer one within a shorter one is refused. */
function readDeadlines(read: EnvironmentReader) {
  const responseSeconds = read.integer('AI_RESPONSE_SECONDS', 1800, { min: 10, max: 86_400 });
  const within = (seconds: number) => Math.min(seconds, responseSeconds);
  const deadlines = {
    responseSeconds,
    leaseSeconds: read.integer('LEASE_SECONDS', 6, { min: 3, max: 300 }),
    firstTokenSeconds: read.integer('AI_FIRST_TOKEN_SECONDS', within(300), { min: 1, max: 86_400 }),
    silenceSeconds: read.integer('AI_SILENCE_SECONDS', within(120), { min: 1, max: 86_400 }),
    callsPerResponse: read.integer('AI_CALLS_PER_RESPONSE', 4, { min: 1, max: 100 }),
  };
  const most = `must be at most AI_RESPONSE_SECONDS, which is ${responseSeconds}`;
  if (deadlines.firstTokenSeconds > responseSeconds) read.problems.push(`AI_FIRST_TOKEN_SECONDS: ${most}`);
  if (deadlines.silenceSeconds > responseSeconds) read.problems.push(`AI_SILENCE_SECONDS: ${most}`);
  if (deadlines.leaseSeconds * 2 > responseSeconds) {
    const reason = 'otherwise a lost response could not be started over before its end';
    read.problems.push(`LEASE_SECONDS: must be at most half of AI_RESPONSE_SECONDS; ${reason}`);
  }
  return deadlines;
}

/** PostgreSQL takes memory for each connection that it allows, used or not. */
const mostOfEmbedded = 2000;

function readSizes(read: EnvironmentReader) {
  const processes = read.integer('PROCESSES', 1, { min: 1, max: 64 });
  const databaseConnections = read.integer('DATABASE_CONNECTIONS', 24, { min: 10, max: 1000 });
  const total = processes * databaseConnections;
  if (read.text('DATABASE_URL') === undefined && total > mostOfEmbedded) {
    const sum = `with PROCESSES, the embedded database would take ${total} connections`;
    read.problems.push(`DATABASE_CONNECTIONS: ${sum}; its limit is ${mostOfEmbedded}`);
  }
  return {
    processes,
    databaseConnections,
    databaseMemory: read.integer('DATABASE_MEMORY', 64, { min: 16, max: 1_000_000 }),
  };
}

/** Only behind a database of its own can a process have others beside it, and a balancer that needs time to notice. */
function readEnding(read: EnvironmentReader) {
  const graceSeconds = read.integer('GRACE_SECONDS', 25, { min: 0, max: 86_400 });
  const isBalanced = read.text('DATABASE_URL') !== undefined && read.text('ROLE') !== 'worker';
  const drainSeconds = read.integer('DRAIN_SECONDS', isBalanced ? Math.min(5, graceSeconds) : 0, { min: 0, max: 3600 });
  if (drainSeconds > graceSeconds) {
    read.problems.push('DRAIN_SECONDS: the service would end before that; set GRACE_SECONDS to at least as much');
  }
  return { graceSeconds, drainSeconds };
}

/** The variables that provider libraries read if AI_API_KEY is not set. */
const keyVariables = new Map([
  ['openai', 'OPENAI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
]);

/** Checks combinations of variables. */
function checkTogether(read: EnvironmentReader, config: Config): void {
  const { role, fallbackModels, callsPerResponse } = config;
  checkConnections(read, config);
  if (fallbackModels.length >= callsPerResponse) {
    const count = fallbackModels.length + 1;
    read.problems.push(`AI_CALLS_PER_RESPONSE: must be at least ${count}, because AI_MODEL names ${count} models`);
  }
  if (role !== 'all' && !read.text('DATABASE_URL')) {
    read.problems.push('ROLE: separate API and worker nodes share a database; set DATABASE_URL too');
  }
  if (read.text('DIRECT_DATABASE_URL') && !read.text('DATABASE_URL')) {
    read.problems.push('DIRECT_DATABASE_URL: requires DATABASE_URL, which is not set');
  }
}

/** Each provider is reached with its own key; processes that serve the API alone call no model. */
function checkConnections(read: EnvironmentReader, config: Config): void {
  const connected = connectedProvider(config);
  if (connected === 'compatible' && !read.text('AI_BASE_URL')) {
    read.problems.push(
      'AI_BASE_URL: set it to the URL of the OpenAI-compatible server, for example http://localhost:11434/v1',
    );
  }
  for (const provider of new Set(allModels(config).map((id) => providerOf(id) ?? ''))) {
    const keyVariable = keyVariables.get(provider);
    if (config.role === 'api' || !keyVariable || read.text(keyVariable)) continue;
    if (provider !== connected)
      read.problems.push(`${keyVariable}: the models of AI_MODEL and AI_MODELS require this key`);
    else if (!read.text('AI_API_KEY')) {
      read.problems.push(`AI_API_KEY: the model requires a key; set this variable or ${keyVariable}`);
    }
  }
}

/** Not every pooler follows prepared statements, and with one that does not most requests fail. */
function hasPooler(read: EnvironmentReader): boolean {
  return read.text('DIRECT_DATABASE_URL') !== undefined;
}

const defaultSystemPrompt =
  'You are a helpful assistant. Answer in Markdown, in the language of the user, and say so when you do not know. ' +
  'Ask the user to choose, with the tool that is given for it, only when the answer depends on the choice.';
