/**
 * The configuration: environment variables in, one frozen object out. Every problem is reported at once, before anything
 * starts, and no other file reads the environment.
 */
import { parseModelName } from './assistant/model-name.js';
import type { OpenIdConnect } from './auth/openid-connect.js';
import { readOpenIdConnect } from './auth/read-openid-connect.js';
import { type Environment, EnvironmentReader } from './environment-reader.js';
import { readDocumentList } from './graphql/document-list.js';
import type { AttachmentStorage } from './modules/attachments/storage.js';
import type { CallLimits } from './rates/rates.js';
import { readRateLimits } from './rates/read-limits.js';

export interface Config {
  host: string;
  port: number;
  /** The origin under which people open the service: of the links in `app_url` too. With https, browsers are told to stay there. */
  publicUrl: string;
  /** Where the operator wants the data; undefined leaves the choice to the embedded database. */
  dataDir: string | undefined;
  /** Directory with `initdb` and `postgres` to use instead of the embedded binaries. */
  pgBinDir: string | undefined;
  /** Undefined: the embedded database. */
  databaseUrl: string | undefined;
  directDatabaseUrl: string | undefined;
  /** Undefined: PostgreSQL carries the tokens between processes. */
  redisUrl: string | undefined;
  /** Which parts of the service this process runs: `all`, or `api` and `worker` on nodes of their own. */
  role: Role;
  model: string;
  aiBaseUrl: string | undefined;
  aiApiKey: string | undefined;
  systemPrompt: string;
  contextTokens: number;
  /** MiB of attachments that are sent to the model at the same time. */
  attachmentMemory: number;
  /** How long a message may wait for a worker while one lives; 0: as long as it takes. */
  queueLimitSeconds: number;
  logLevel: LogLevel;
  /** Whether callers of GraphQL may ask for the schema, and whether browsers get a page for trying operations. */
  introspection: boolean;
  graphiql: boolean;
  /** The only documents of GraphQL that run; null: any may. */
  trustedDocuments: ReadonlyMap<string, string> | null;
  /** Signs the cookies of sessions; undefined: the database keeps a random one. */
  authSecret: string | undefined;
  /** The provider with which people may sign in; null: there is none. */
  openIdConnect: OpenIdConnect | null;
  /** Responses that run at the same time in one process: all, and those of one user and of one organization. */
  responsesPerProcess: number;
  responsesPerUser: number;
  responsesPerOrganization: number;
  /** Operations of one user that run at the same time in one process. */
  operationsPerUser: number;
  maxConnections: number;
  /** Of one address of the internet. */
  connectionsPerAddress: number;
  /** Below which a body is refused, after ten seconds. */
  bodyBytesPerSecond: number;
  /** Bytes of attachments in memory; a user has a quarter of it, and an organization half. */
  transferBytes: number;
  /** MiB of attachments that are stored; null: no limit. */
  attachmentStorage: AttachmentStorage;
  /** MiB of large answers that are being made or taken. The largest one must fit into a user's share, a quarter. */
  answerMemory: number;
  /** Passwords that are hashed at the same time; an address has one. */
  passwordHashes: number;
  /** What `/metrics` asks for; undefined: nothing. */
  metricsToken: string | undefined;
  /** How often callers may ask and send, in a minute. */
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

/** All that is wrong with the environment, one line a problem. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Throws a `ConfigError` that names every unusable variable. */
export function readConfig(environment: Environment = process.env): Config {
  const read = new EnvironmentReader(environment);
  const port = read.integer('PORT', 4000, { min: 0, max: 65_535 });
  const config: Config = {
    host: read.text('HOST') ?? '127.0.0.1',
    port,
    publicUrl: read.origin('PUBLIC_URL') ?? `http://localhost:${port}`,
    dataDir: read.text('DATA_DIR'),
    pgBinDir: read.text('PG_BIN_DIR'),
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    directDatabaseUrl: read.url('DIRECT_DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    role: read.choice('ROLE', roles, 'all'),
    model: read.text('AI_MODEL') ?? 'demo',
    aiBaseUrl: read.url('AI_BASE_URL', ['http:', 'https:']),
    aiApiKey: read.text('AI_API_KEY'),
    systemPrompt: read.text('AI_SYSTEM_PROMPT') ?? defaultSystemPrompt,
    contextTokens: read.integer('AI_CONTEXT_TOKENS', 100_000, { min: 1000, max: 100_000_000 }),
    attachmentMemory: read.integer('AI_ATTACHMENT_MEMORY', 128, { min: 1, max: 1_000_000 }),
    queueLimitSeconds: read.integer('QUEUE_LIMIT_SECONDS', 0, { min: 0, max: 31_536_000 }),
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
    introspection: read.choice('GRAPHQL_INTROSPECTION', switches, 'on') === 'on',
    graphiql: read.choice('GRAPHIQL', switches, 'off') === 'on',
    trustedDocuments: read.parsed('TRUSTED_DOCUMENTS', readDocumentList),
    authSecret: read.secret('AUTH_SECRET', 32),
    openIdConnect: readOpenIdConnect(read),
    metricsToken: read.secret('METRICS_TOKEN', 16),
    ...readShares(read),
  };
  read.check('AI_MODEL', () => parseModelName(config.model));
  checkTogether(read, config);
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return Object.freeze(config);
}

type Shares = Pick<
  Config,
  | 'responsesPerProcess'
  | 'responsesPerUser'
  | 'responsesPerOrganization'
  | 'operationsPerUser'
  | 'maxConnections'
  | 'connectionsPerAddress'
  | 'bodyBytesPerSecond'
  | 'transferBytes'
  | 'attachmentStorage'
  | 'answerMemory'
  | 'passwordHashes'
  | 'rateLimits'
  | 'streamsPerUser'
  | 'streamsPerOrganization'
  | 'streamsPerProcess'
>;

/** What the users of one process share. */
function readShares(read: EnvironmentReader): Shares {
  return {
    responsesPerProcess: read.integer('RESPONSES_PER_PROCESS', 64, { min: 1, max: 100_000 }),
    responsesPerUser: read.integer('RESPONSES_PER_USER', 32, { min: 1, max: 100_000 }),
    responsesPerOrganization: read.integer('RESPONSES_PER_ORGANIZATION', 48, { min: 1, max: 100_000 }),
    operationsPerUser: read.integer('OPERATIONS_PER_USER', 8, { min: 1, max: 10_000 }),
    maxConnections: read.integer('MAX_CONNECTIONS', 10_000, { min: 10, max: 1_000_000 }),
    connectionsPerAddress: read.integer('CONNECTIONS_PER_ADDRESS', 2500, { min: 1, max: 1_000_000 }),
    bodyBytesPerSecond: read.integer('BODY_BYTES_PER_SECOND', 16_384, { min: 1, max: 100_000_000 }),
    transferBytes: read.integer('TRANSFER_BYTES', 268_435_456, { min: 1_048_576, max: 999_999_999 }),
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

/** Where the providers' own libraries look for a key when AI_API_KEY is not set. */
const keyVariables = new Map([
  ['openai', 'OPENAI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
]);

/** What single variables cannot say: those that need another one. */
function checkTogether(read: EnvironmentReader, { model, role }: Config): void {
  const [provider = ''] = model.split(':');
  const keyVariable = keyVariables.get(provider);
  if (provider === 'compatible' && !read.text('AI_BASE_URL')) {
    read.problems.push(
      'AI_BASE_URL: set it to the URL of the OpenAI-compatible server, for example http://localhost:11434/v1',
    );
  }
  if (keyVariable && role !== 'api' && !read.text('AI_API_KEY') && !read.text(keyVariable)) {
    read.problems.push(`AI_API_KEY: the model requires a key; set this variable or ${keyVariable}`);
  }
  if (role !== 'all' && !read.text('DATABASE_URL')) {
    read.problems.push('ROLE: separate API and worker nodes share a database; set DATABASE_URL too');
  }
  if (read.text('DIRECT_DATABASE_URL') && !read.text('DATABASE_URL')) {
    read.problems.push('DIRECT_DATABASE_URL: requires DATABASE_URL, which is not set');
  }
}

const defaultSystemPrompt =
  'You are a helpful assistant. Answer in Markdown, in the language of the user, and say so when you do not know. ' +
  'Ask the user to choose, with the tool that is given for it, only when the answer depends on the choice.';
