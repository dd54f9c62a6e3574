/**
 * The configuration: environment variables in, one frozen object out. Every problem is reported at once, before anything
 * starts, and no other file reads the environment.
 */
import { parseModelName } from './assistant/model-name.js';
import { readDocumentList } from './graphql/document-list.js';

export interface Config {
  host: string;
  port: number;
  /** Origin of the links in `app_url`, without a slash at its end. */
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
  logLevel: LogLevel;
  /** Whether callers of GraphQL may ask for the schema, and whether browsers get a page for trying operations. */
  introspection: boolean;
  graphiql: boolean;
  /** The only documents of GraphQL that run; null: any may. */
  trustedDocuments: ReadonlyMap<string, string> | null;
  streamsPerUser: number;
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
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Environment = Record<string, string | undefined>;

/** Throws a `ConfigError` that names every unusable variable. */
export function readConfig(environment: Environment = process.env): Config {
  const read = new Reader(environment);
  const port = read.integer('PORT', 4000, { min: 0, max: 65_535 });
  const config: Config = {
    host: read.text('HOST') ?? '127.0.0.1',
    port,
    publicUrl: (read.url('PUBLIC_URL', ['http:', 'https:']) ?? `http://localhost:${port}`).replace(/\/+$/, ''),
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
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
    introspection: read.choice('GRAPHQL_INTROSPECTION', switches, 'on') === 'on',
    graphiql: read.choice('GRAPHIQL', switches, 'off') === 'on',
    trustedDocuments: read.parsed('TRUSTED_DOCUMENTS', readDocumentList),
    streamsPerUser: read.integer('STREAMS_PER_USER', 1000, { min: 1, max: 1_000_000 }),
    streamsPerProcess: read.integer('STREAMS_PER_PROCESS', 5000, { min: 1, max: 1_000_000 }),
  };
  read.check('AI_MODEL', () => parseModelName(config.model));
  checkTogether(read, config);
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return Object.freeze(config);
}

/** Where the providers' own libraries look for a key when AI_API_KEY is not set. */
const keyVariables = new Map([
  ['openai', 'OPENAI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
]);

/** What single variables cannot say: those that need another one. */
function checkTogether(read: Reader, { model, role, publicUrl }: Config): void {
  const [provider = ''] = model.split(':');
  const keyVariable = keyVariables.get(provider);
  if (provider === 'compatible' && !read.text('AI_BASE_URL')) {
    read.problems.push(
      'AI_BASE_URL: set it to the address of the OpenAI-style server, for example http://localhost:11434/v1',
    );
  }
  if (keyVariable && role !== 'api' && !read.text('AI_API_KEY') && !read.text(keyVariable)) {
    read.problems.push(`AI_API_KEY: the model needs a key: set this or ${keyVariable}`);
  }
  if (role !== 'all' && !read.text('DATABASE_URL')) {
    read.problems.push('ROLE: nodes of their own share a database: set DATABASE_URL too');
  }
  if (read.text('DIRECT_DATABASE_URL') && !read.text('DATABASE_URL')) {
    read.problems.push('DIRECT_DATABASE_URL: it goes with DATABASE_URL, which is not set');
  }
  if (/[?#@]/.test(publicUrl))
    read.problems.push('PUBLIC_URL: links are made by adding to it: leave out "?", "#" and "@"');
}

const defaultSystemPrompt =
  'You are a helpful assistant. Answer in Markdown, in the language of the user, and say so when you do not know. ' +
  'Ask the user to choose, with the tool that is given for it, only when the answer depends on the choice.';

/** Reads single variables and gathers what is wrong with them. An empty variable counts as not set. */
class Reader {
  readonly problems: string[] = [];

  constructor(private readonly environment: Environment) {}

  text(name: string): string | undefined {
    return this.environment[name]?.trim() || undefined;
  }

  integer(name: string, fallback: number, bounds: { min: number; max: number }): number {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= bounds.min && number <= bounds.max) return number;
    this.problems.push(`${name}: "${value}" is not a whole number from ${bounds.min} to ${bounds.max}`);
    return fallback;
  }

  choice<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.text(name);
    const found = value === undefined ? fallback : values.find((candidate) => candidate === value);
    if (found === undefined) this.problems.push(`${name}: "${value}" is none of ${values.join(', ')}`);
    return found ?? fallback;
  }

  /** The value is not repeated in a problem: a database's address holds its password. */
  url(name: string, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    this.problems.push(`${name}: not an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return undefined;
  }

  /** Null where it is not set. */
  parsed<T>(name: string, parse: (value: string) => T): T | null {
    const value = this.text(name);
    let result: T | null = null;
    if (value !== undefined) {
      this.check(name, () => {
        result = parse(value);
      });
    }
    return result;
  }

  check(name: string, parse: () => unknown): void {
    try {
      parse();
    } catch (error) {
      this.problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
