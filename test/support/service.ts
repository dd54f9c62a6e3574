/**
 * The real service for a test file: its own database, a free port, and the scripted model behind it. Retries and leases are
 * faster than in production, nothing else is different. What it logs is kept, so that tests can read it.
 */
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { expect } from 'vitest';
import type { Prisma } from '../../prisma/generated/client/client.js';
import { readConfig } from '../../src/config.js';
import { type Scope, scopes } from '../../src/contract.js';
import { serializeError } from '../../src/log.js';
import { authenticate, readToken, type Viewer } from '../../src/modules/identity/authenticate.js';
import { createOrganization, createUser } from '../../src/modules/identity/provision.js';
import { issueToken } from '../../src/modules/identity/tokens/manage-tokens.js';
import type { ProcessSettings } from '../../src/process/settings.js';
import { type RunningService, startService } from '../../src/serve.js';
import { GraphQLClient } from './clients/graphql-client.js';
import { RestClient } from './clients/rest-client.js';
import { createTestDatabase, type TestDatabase } from './database/database.js';
import { findImpossiblePairs } from './database/impossible-pairs.js';
import { type ModelServer, startModelServer } from './model/model-server.js';
import { runSql } from './server.js';

export interface TestServiceOptions {
  settings?: Partial<ProcessSettings>;
  /** Further variables of the environment. */
  environment?: Record<string, string>;
  /** The database to use; one of its own where none is given. */
  storage?: TestDatabase;
}

/** A user of the service with a token, and clients that use it. */
export interface Person {
  id: string;
  email: string;
  token: string;
  rest: RestClient;
  graphql: GraphQLClient;
}

/** Statements may wait for the locks of a test, and a test may hold them, for as long as a busy machine takes. */
export const patientStatements = { lockMs: 60_000, statementMs: 60_000, idleMs: 60_000 };

/** A service whose worker takes nothing, so that every thread stays `waiting`. */
export const withoutWorker: TestServiceOptions = { settings: { concurrency: 0 } };

const settings: Partial<ProcessSettings> = {
  // Tests may stage threads that no operation leads to, also before the worker's first look.
  repairMs: null,
  // Nor is what they stage as due removed by anybody else. It costs more than the rest of a start, too.
  housekeepingMs: null,
  retry: { maxCalls: 4, maxUnseenTries: 4, baseMs: 5, maxMs: 50 },
  lease: { leaseMs: 3000, heartbeatMs: 500, pollMs: 1000, maxAttempts: 3, deadlineMs: 60_000 },
};

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.storage ?? (await createTestDatabase());
  const model = await startModelServer();
  const log: string[] = [];
  const startNode: StartNode = (environment, nodeSettings = {}) => {
    const config = readConfig({
      PORT: '0',
      PUBLIC_URL: 'https://skein.test',
      DATABASE_URL: database.url,
      AI_MODEL: 'compatible:scripted',
      AI_BASE_URL: model.url,
      // A call of the model that the scripts of a test do not expect.
      AI_THREAD_NAMES: 'off',
      ...options.environment,
      ...environment,
    });
    return startService({
      config,
      logger: collectingLogger(log),
      settings: { ...settings, ...options.settings, ...nodeSettings },
    });
  };
  return new TestService({ service: await startNode({}), startNode, model, storage: database, log });
}

type StartNode = (environment: Record<string, string>, settings?: Partial<ProcessSettings>) => Promise<RunningService>;

interface Parts {
  service: RunningService;
  startNode: StartNode;
  model: ModelServer;
  storage: TestDatabase;
  log: string[];
}

export class TestService {
  readonly url: string;
  readonly service: RunningService;
  readonly model: ModelServer;
  readonly storage: TestDatabase;
  /** Every line that the service logged. */
  readonly log: string[];
  readonly #startNode: Parts['startNode'];
  readonly #nodes: RunningService[] = [];
  #people = 0;

  constructor({ service, startNode, model, storage, log }: Parts) {
    this.#startNode = startNode;
    this.url = service.url;
    this.service = service;
    this.model = model;
    this.storage = storage;
    this.log = log;
  }

  get database(): RunningService['database'] {
    return this.service.database;
  }

  /** Runs statements on the database as `runSql` does. */
  sql(...statements: (string | Prisma.Sql)[]): Promise<unknown[]> {
    return runSql(this.storage.url, ...statements);
  }

  /** A user of an organization, which is made where it does not exist, with a token for the given scopes. */
  async person(
    options: { org?: string; name?: string | null; scopes?: readonly Scope[]; role?: 'admin' | 'member' } = {},
  ): Promise<Person> {
    const { database } = this;
    const slug = options.org ?? 'acme';
    this.#people += 1;
    const number = this.#people;
    if (!(await database.organization.findUnique({ where: { slug } }))) {
      await createOrganization(database, { slug, name: slug });
    }
    const user = await createUser(database, {
      organizationSlug: slug,
      email: `person-${number}@${slug}.test`,
      name: options.name === undefined ? `Person ${number}` : options.name,
      role: options.role ?? 'member',
    });
    const token = await this.token(user.id, options.scopes ?? scopes);
    return { id: user.id, email: user.email, token, rest: this.client(token), graphql: this.graphql(token) };
  }

  async token(userId: string, granted: readonly Scope[], expiresAt: Date | null = null): Promise<string> {
    const issued = await issueToken(this.database, { userId, name: 'test', scopes: granted, expiresAt });
    return issued.secret;
  }

  /** Whom a token belongs to, as the service finds it. */
  viewerOf({ token }: Pick<Person, 'token'>): Promise<Viewer> {
    const { database } = this;
    return authenticate({ database, logger: collectingLogger(this.log) }, readToken(`Bearer ${token}`));
  }

  /** A REST client; without a token it sends none. */
  client(token?: string, prefix: '/api/v1' | '/api/v1-alpha0' = '/api/v1'): RestClient {
    return new RestClient({ origin: this.url, prefix, token });
  }

  /** A client of GraphQL; without a token it sends none. */
  graphql(token?: string): GraphQLClient {
    return new GraphQLClient({ origin: this.url, token });
  }

  /** Another process's worth of service on the same database; it ends with this one unless it was stopped before. */
  async addNode(
    environment: Record<string, string> = {},
    settings?: Partial<ProcessSettings>,
  ): Promise<RunningService> {
    const node = await this.#startNode(environment, settings);
    this.#nodes.push(node);
    return node;
  }

  /** A REST client of another node. */
  clientOf(node: RunningService, token: string): RestClient {
    return new RestClient({ origin: node.url, prefix: '/api/v1', token });
  }

  async stop(): Promise<void> {
    await Promise.all([this.service, ...this.#nodes].map((node) => node.stop(0)));
    await this.model.close();
    const impossible = await findImpossiblePairs(this.storage.url);
    await this.storage.drop();
    const repairs = this.log.filter((line) => line.includes('whose state contradicted its response'));
    expect({ impossible, repairs }, 'the states of threads agree with their responses').toEqual({
      impossible: [],
      repairs: [],
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

function collectingLogger(lines: string[]): Logger {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return pino({ level: 'debug', base: null, serializers: { err: serializeError } }, stream);
}
