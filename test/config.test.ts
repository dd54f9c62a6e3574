/** From environment variables to a configuration, or to the list of all that is wrong with them. */
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../src/config.js';

type Environment = Record<string, string>;

/** The problems of an environment, none where it can be used. */
function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const noModel = (variable: string, name: string) =>
  `${variable}: "${name}" is not a valid model name. Valid forms: demo, compatible:NAME, openai:NAME, anthropic:NAME, google:NAME.`;
const noServer =
  'AI_BASE_URL: set it to the URL of the OpenAI-compatible server, for example http://localhost:11434/v1';

describe('the configuration', () => {
  // What each default is, `test/docs/docs.test.ts` compares with the document.
  it('needs nothing: everything has a default, or is off', () => {
    expect(readConfig({})).toMatchObject({
      dataDir: undefined,
      databaseUrl: undefined,
      directDatabaseUrl: undefined,
      redisUrl: undefined,
      model: 'demo',
      fallbackModels: [],
      models: [{ id: 'demo', label: 'Demo', isDefault: true }],
      aiConnection: { baseUrl: undefined, apiKey: undefined, headers: null },
      modelWithout: null,
      systemPrompt: expect.stringMatching(/assistant/),
      trustedDocuments: null,
      prices: null,
      authSecret: undefined,
      openIdConnect: null,
      metricsToken: undefined,
      tracing: null,
    });
  });

  it('takes its values from the variables', () => {
    const issuer = { issuer: 'https://id.test/realm', clientId: 'skein', clientSecret: 'shared', name: 'id.test' };
    const small = { id: 'compatible:qwen', label: 'Qwen (local)', isDefault: false };
    const taken: Record<string, readonly [string, object?]> = {
      HOST: ['::1', { host: '::1' }],
      PORT: ['8080', { port: 8080 }],
      PUBLIC_URL: ['https://Skein.Test:8443/', { publicUrl: 'https://skein.test:8443' }],
      DATA_DIR: ['/var/lib/data', { dataDir: '/var/lib/data' }],
      PG_BIN_DIR: ['/usr/lib/postgresql/18/bin', { pgBinDir: '/usr/lib/postgresql/18/bin' }],
      OLD_PG_BIN_DIR: ['/usr/lib/postgresql/17/bin', { oldPgBinDir: '/usr/lib/postgresql/17/bin' }],
      DATABASE_URL: ['postgresql://u:p@db/skein', { databaseUrl: 'postgresql://u:p@db/skein' }],
      DIRECT_DATABASE_URL: ['postgres://u:p@db:5433/skein', { directDatabaseUrl: 'postgres://u:p@db:5433/skein' }],
      PREPARED_STATEMENTS: ['off', { preparedStatements: false }],
      REDIS_URL: ['rediss://u:p@redis:6380/1', { redisUrl: 'rediss://u:p@redis:6380/1' }],
      ROLE: ['worker', { role: 'worker' }],
      PROCESSES: ['4', { processes: 4 }],
      DRAIN_SECONDS: ['10', { drainSeconds: 10 }],
      GRACE_SECONDS: ['40', { graceSeconds: 40 }],
      DATABASE_CONNECTIONS: ['100', { databaseConnections: 100 }],
      DATABASE_MEMORY: ['512', { databaseMemory: 512 }],
      LEASE_SECONDS: ['20', { leaseSeconds: 20 }],
      AI_RESPONSE_SECONDS: ['3600', { responseSeconds: 3600 }],
      AI_FIRST_TOKEN_SECONDS: ['600', { firstTokenSeconds: 600 }],
      AI_SILENCE_SECONDS: ['240', { silenceSeconds: 240 }],
      AI_CALLS_PER_RESPONSE: ['2', { callsPerResponse: 2 }],
      AI_WITHOUT: ['calls, usage', { modelWithout: ['calls', 'usage'] }],
      AI_THINKS_FIRST: ['on', { opensThinking: true }],
      AI_MODEL: [
        'compatible:llama3:8b, google:gemini',
        { model: 'compatible:llama3:8b', fallbackModels: ['google:gemini'] },
      ],
      GOOGLE_GENERATIVE_AI_API_KEY: ['key of Google'],
      AI_MODELS: [
        'compatible:qwen = Qwen (local), compatible:llama3:8b',
        { models: [small, { id: 'compatible:llama3:8b', label: 'llama3:8b', isDefault: true }] },
      ],
      AI_BASE_URL: ['http://localhost:11434/v1'],
      AI_API_KEY: ['key'],
      AI_HEADERS: [
        'x-team=a%2Cb, x-other=c',
        {
          aiConnection: {
            ...{ baseUrl: 'http://localhost:11434/v1', apiKey: 'key' },
            headers: { 'x-team': 'a,b', 'x-other': 'c' },
          },
        },
      ],
      AI_SYSTEM_PROMPT: ['Be brief.', { systemPrompt: 'Be brief.' }],
      AI_CONTEXT_TOKENS: ['8000', { contextTokens: 8000 }],
      AI_THREAD_NAMES: ['off', { threadNames: false }],
      QUEUE_LIMIT_SECONDS: ['90', { queueLimitSeconds: 90 }],
      LOG_LEVEL: ['debug', { logLevel: 'debug' }],
      GRAPHQL_INTROSPECTION: ['off', { introspection: false }],
      GRAPHIQL: ['on', { graphiql: true }],
      AUTH_SECRET: ['a secret of at least 32 characters', { authSecret: 'a secret of at least 32 characters' }],
      OIDC_ISSUER: ['https://id.test/realm', { openIdConnect: { ...issuer, acceptsMissingEmailVerified: true } }],
      OIDC_MISSING_EMAIL_VERIFIED: ['accept'],
      OIDC_CLIENT_ID: ['skein'],
      OIDC_CLIENT_SECRET: ['shared'],
      METRICS_TOKEN: ['sixteen-letters!', { metricsToken: 'sixteen-letters!' }],
      METRICS_PORT: ['9464', { metricsPort: 9464 }],
      REQUESTS_PER_TOKEN: ['100'],
      REQUESTS_PER_ADDRESS: ['off'],
      MESSAGES_PER_USER: ['0'],
      MESSAGES_PER_ORGANIZATION: ['400'],
      SIGN_INS_PER_ADDRESS: [
        '30',
        {
          rateLimits: {
            ...{ requests: 100, unauthenticated: null, messages: null },
            ...{ 'organization-messages': 400, 'sign-ins': 30 },
          },
        },
      ],
      PASSWORD_HASHES: ['4', { passwordHashes: 4 }],
      STREAMS_PER_USER: ['50', { streamsPerUser: 50 }],
      RESPONSES_PER_PROCESS: ['16', { responsesPerProcess: 16 }],
      RESPONSES_PER_USER: ['4', { responsesPerUser: 4 }],
      RESPONSES_PER_ORGANIZATION: ['8', { responsesPerOrganization: 8 }],
      OPERATIONS_PER_USER: ['3', { operationsPerUser: 3 }],
      MAX_CONNECTIONS: ['20000', { maxConnections: 20_000 }],
      BODY_BYTES_PER_SECOND: ['1000', { bodyBytesPerSecond: 1000 }],
      TRANSFER_MEMORY: ['99', { transferMemory: 99 }],
      ATTACHMENT_STORAGE_PER_USER: ['512'],
      ATTACHMENT_STORAGE_PER_ORGANIZATION: ['4096', { attachmentStorage: { perUser: 512, perOrganization: 4096 } }],
      ANSWER_MEMORY: ['256', { answerMemory: 256 }],
      STREAMS_PER_ORGANIZATION: ['100', { streamsPerOrganization: 100 }],
      STREAMS_PER_PROCESS: ['200', { streamsPerProcess: 200 }],
      AI_ATTACHMENT_MEMORY: ['64', { attachmentMemory: 64 }],
    };
    const rows = Object.entries(taken);
    const config = readConfig(Object.fromEntries(rows.map(([name, [value]]) => [name, value])));
    const unset = { tracing: null, trustedDocuments: null, prices: null };
    expect(config).toEqual(Object.assign(unset, ...rows.map(([, [, values]]) => values)));
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('puts the port into the address of links unless another address is set', () => {
    expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  });

  it.each([
    [{}, true],
    [{ DIRECT_DATABASE_URL: 'postgres://db' }, false],
    [{ DIRECT_DATABASE_URL: 'postgres://db', PREPARED_STATEMENTS: 'on' }, true],
    [{ PREPARED_STATEMENTS: 'off' }, false],
  ])('prepares statements, unless there is a pooler that may not follow them: %j → %s', (variables, expected) => {
    expect(readConfig({ DATABASE_URL: 'postgres://pool', ...variables }).preparedStatements).toBe(expected);
  });

  it.each([
    ['postgres://u@/skein?host=/run/postgresql', 'postgres://u@localhost/skein?host=/run/postgresql'],
    ['postgresql:///skein?host=/run/postgresql&user=u', 'postgresql:///skein?host=/run/postgresql&user=u'],
    ['postgres://db?sslmode=prefer&a=b', 'postgres://db?sslmode=verify-full&a=b'],
    ['postgres://db?a=b&sslmode=require', 'postgres://db?a=b&sslmode=verify-full'],
    ['postgres://db?sslmode=require&uselibpqcompat=true', 'postgres://db?sslmode=require&uselibpqcompat=true'],
  ])('takes the addresses that providers give out: %s', (DATABASE_URL, databaseUrl) => {
    expect(readConfig({ DATABASE_URL })).toMatchObject({ databaseUrl });
  });

  it.each<[Environment, number]>([
    [{}, 0],
    [{ DATABASE_URL: 'postgres://db' }, 5],
    [{ DATABASE_URL: 'postgres://db', ROLE: 'api' }, 5],
    [{ DATABASE_URL: 'postgres://db', ROLE: 'worker' }, 0],
    [{ DATABASE_URL: 'postgres://db', GRACE_SECONDS: '3' }, 3],
    [{ DRAIN_SECONDS: '4' }, 4],
  ])('drains where there may be other nodes, and a balancer before them: %j → %s', (variables, expected) => {
    expect(readConfig(variables).drainSeconds).toBe(expected);
  });

  it.each([
    ['HTTPS://Skein.Test', 'https://skein.test'],
    ['https://skein.test//', 'https://skein.test'],
    ['https://skein.test:443', 'https://skein.test'],
    ['https://skein.test:4000', 'https://skein.test:4000'],
    ['http://skein.test:80/', 'http://skein.test'],
    ['http://[::1]:4000', 'http://[::1]:4000'],
    ['https://bücher.test', 'https://xn--bcher-kva.test'],
  ])('has one spelling of the address that people open: %s', (value, publicUrl) => {
    expect(readConfig({ PUBLIC_URL: value }).publicUrl).toBe(publicUrl);
  });

  it('leaves slots of a worker to the next user and organization, however many it has', () => {
    const shares = (slots: string) => {
      const config = readConfig({ RESPONSES_PER_PROCESS: slots });
      return [config.responsesPerUser, config.responsesPerOrganization];
    };
    expect([shares('256'), shares('1000'), shares('10')]).toEqual([
      [128, 192],
      [500, 750],
      [5, 8],
    ]);
  });

  it('treats an empty variable as unset', () => {
    const names = ['HOST', 'PORT', 'PUBLIC_URL', 'DATA_DIR', 'DATABASE_URL', 'AI_MODEL', 'LOG_LEVEL', 'ROLE'];
    for (const value of ['', '  ']) {
      expect(readConfig(Object.fromEntries(names.map((name) => [name, value])))).toEqual(readConfig({}));
    }
  });

  it.each(['redis://redis', 'redis://:a,b%2F%25@[::1]:6379/', 'rediss://default:pw@redis.test:6380/15?family=6'])(
    'takes an address of Redis as providers give it out: %s',
    (redisUrl) => {
      expect(readConfig({ REDIS_URL: redisUrl }).redisUrl).toBe(redisUrl);
    },
  );
});

describe('a problem of the configuration', () => {
  it.each<[Environment, string]>([
    [{ PORT: '65536' }, 'PORT: "65536" is not a whole number from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT: "-1" is not a whole number from 0 to 65535'],
    [{ PORT: '4e3' }, 'PORT: "4e3" is not a whole number from 0 to 65535'],
    [{ PORT: '0x50' }, 'PORT: "0x50" is not a whole number from 0 to 65535'],
    [{ PUBLIC_URL: 'skein.test' }, 'PUBLIC_URL: not a URL that starts with http:// or https://'],
    [{ PUBLIC_URL: 'ftp://skein.test' }, 'PUBLIC_URL: not a URL that starts with http:// or https://'],
    [{ DATABASE_URL: 'mysql://db' }, 'DATABASE_URL: not a URL that starts with postgres:// or postgresql://'],
    [
      { DATABASE_URL: 'postgres://u:p@a,b/skein' },
      'DATABASE_URL: names several hosts; name one, or a balancer in front of them',
    ],
    ...['postgres://u:p/w@db/skein', 'postgres://u:p@ss/w#1@db/skein', 'postgres://u:p?w@db/skein'].map(
      (DATABASE_URL): [Environment, string] => [
        { DATABASE_URL },
        'DATABASE_URL: not a valid URL; percent-encode special characters in its password, such as / as %2F and # as %23',
      ],
    ),
    [
      { DATABASE_URL: 'postgres://db?sslmode=allow' },
      'DATABASE_URL: sslmode=allow is not one of disable, no-verify, verify-full',
    ],
    [
      { DATABASE_URL: 'postgres://db?ssl=no' },
      'DATABASE_URL: ssl=no is not known; use sslmode=disable or no-verify or verify-full',
    ],
    [
      { DATABASE_URL: 'postgres://db?sslmode=require&sslrootcert=/nowhere.pem' },
      expect.stringMatching(/^DATABASE_URL: sslrootcert cannot be read: .*no such file/),
    ],
    [{ DIRECT_DATABASE_URL: 'postgres://db' }, 'DIRECT_DATABASE_URL: requires DATABASE_URL, which is not set'],
    [{ REDIS_URL: 'localhost:6379' }, 'REDIS_URL: not a URL that starts with redis:// or rediss://'],
    [{ REDIS_URL: 'REDISS://redis' }, 'REDIS_URL: not a URL that starts with redis:// or rediss://'],
    [
      { REDIS_URL: 'redis://a:6379,b:6379' },
      'REDIS_URL: names several hosts; name one, or a balancer in front of them',
    ],
    [{ REDIS_URL: 'redis:///run/redis.sock' }, 'REDIS_URL: names no host'],
    [
      { REDIS_URL: 'redis://redis/cache' },
      'REDIS_URL: what follows the host must be the number of a database, such as /0',
    ],
    [
      { REDIS_URL: 'redis://redis/-1' },
      'REDIS_URL: what follows the host must be the number of a database, such as /0',
    ],
    ...['redis://:a/b@redis', 'redis://:a#b@redis', 'redis://:50%@redis'].map((REDIS_URL): [Environment, string] => [
      { REDIS_URL },
      'REDIS_URL: not a valid URL; percent-encode special characters in its password, such as / as %2F, # as %23 and % as %25',
    ]),
    [{ METRICS_PORT: '65536' }, 'METRICS_PORT: "65536" is not a whole number from 1 to 65535'],
    [{ METRICS_PORT: '0' }, 'METRICS_PORT: "0" is not a whole number from 1 to 65535'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN: use at least 16 random characters, or leave it unset'],
    ...['four words with spaces', 'schlüssel-für-zahlen'].map((METRICS_TOKEN): [Environment, string] => [
      { METRICS_TOKEN },
      'METRICS_TOKEN: use only ASCII characters, without spaces',
    ]),
    [{ AUTH_SECRET: 'short' }, 'AUTH_SECRET: use at least 32 random characters, or leave it unset'],
    [{ OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'a' }, 'OIDC_CLIENT_SECRET: OpenID Connect needs it too'],
    [{ OIDC_MISSING_EMAIL_VERIFIED: 'true' }, 'OIDC_MISSING_EMAIL_VERIFIED: "true" is not one of refuse, accept'],
    [{ GRAPHIQL: 'yes' }, 'GRAPHIQL: "yes" is not one of on, off'],
    [{ PROCESSES: '65' }, 'PROCESSES: "65" is not a whole number from 1 to 64'],
    [{ PROCESSES: '100' }, 'PROCESSES: "100" is not a whole number from 1 to 64'],
    [{ STREAMS_PER_USER: '0' }, 'STREAMS_PER_USER: "0" is not a whole number from 1 to 1000000'],
    [{ TRUSTED_DOCUMENTS: '/nowhere.json' }, expect.stringMatching(/^TRUSTED_DOCUMENTS: .*no such file/)],
    [
      { DRAIN_SECONDS: '30' },
      'DRAIN_SECONDS: the service would end before that; set GRACE_SECONDS to at least as much',
    ],
    [{ AI_FIRST_TOKEN_SECONDS: '1801' }, 'AI_FIRST_TOKEN_SECONDS: must be at most AI_RESPONSE_SECONDS, which is 1800'],
    [{ AI_SILENCE_SECONDS: '1801' }, 'AI_SILENCE_SECONDS: must be at most AI_RESPONSE_SECONDS, which is 1800'],
    [{ RESPONSE_SECONDS: '60' }, 'RESPONSE_SECONDS: is now called AI_RESPONSE_SECONDS; rename it'],
    [{ TRANSFER_BYTES: '1048576' }, 'TRANSFER_BYTES: is now called TRANSFER_MEMORY, in MiB; rename it'],
    [
      { CONNECTIONS_PER_ADDRESS: '200' },
      'CONNECTIONS_PER_ADDRESS: no longer exists, because one public address gets a quarter of MAX_CONNECTIONS; remove it',
    ],
    [{ AI_START_SECONDS: '60' }, 'AI_START_SECONDS: is now called AI_FIRST_TOKEN_SECONDS; rename it'],
    [{ AI_WITHOUT: 'tools,video' }, 'AI_WITHOUT: "video" is not one of tools, calls, images, system, usage, developer'],
    [{ LEASE_SECONDS: '2' }, 'LEASE_SECONDS: "2" is not a whole number from 3 to 300'],
    [
      { LEASE_SECONDS: '6', AI_RESPONSE_SECONDS: '11' },
      'LEASE_SECONDS: must be at most half of AI_RESPONSE_SECONDS; otherwise a lost response could not be started over before its end',
    ],
    [{ DATABASE_CONNECTIONS: '9' }, 'DATABASE_CONNECTIONS: "9" is not a whole number from 10 to 1000'],
    [
      { DATABASE_CONNECTIONS: '501', PROCESSES: '4' },
      'DATABASE_CONNECTIONS: with PROCESSES, the embedded database would take 2004 connections; its limit is 2000',
    ],
    [{ ROLE: 'boss' }, 'ROLE: "boss" is not one of all, api, worker'],
    [{ ROLE: 'api' }, 'ROLE: separate API and worker nodes share a database; set DATABASE_URL too'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: "loud" is not one of fatal, error, warn, info, debug, trace, silent'],
    [{ AI_CONTEXT_TOKENS: '999' }, 'AI_CONTEXT_TOKENS: "999" is not a whole number from 1000 to 100000000'],
    [{ AI_MODEL: 'openai:gpt-5' }, 'AI_API_KEY: the model requires a key; set this variable or OPENAI_API_KEY'],
    [
      { AI_MODELS: 'demo=Demo, openai:gpt-5', AI_API_KEY: 'another' },
      'OPENAI_API_KEY: the models of AI_MODEL and AI_MODELS require this key',
    ],
    [
      { AI_MODEL: 'openai:gpt-5, anthropic:x', AI_API_KEY: 'key of OpenAI' },
      'ANTHROPIC_API_KEY: the models of AI_MODEL and AI_MODELS require this key',
    ],
    [{ AI_MODEL: 'demo, compatible:x' }, noServer],
    [{ AI_MODEL: 'demo,,google:x' }, 'AI_MODEL: has a comma without a name on both sides; remove it'],
    [{ AI_MODEL: 'demo,' }, 'AI_MODEL: has a comma without a name on both sides; remove it'],
    [{ AI_MODEL: 'google:x, demo, google:x' }, 'AI_MODEL: names "google:x" twice'],
    [
      { AI_MODEL: 'google:1,google:2,google:3,google:4,google:5,google:6', AI_CALLS_PER_RESPONSE: '9' },
      'AI_MODEL: must name at most 5 models',
    ],
    [
      { AI_MODEL: 'google:x, demo', AI_API_KEY: 'key', AI_CALLS_PER_RESPONSE: '1' },
      'AI_CALLS_PER_RESPONSE: must be at least 2, because AI_MODEL names 2 models',
    ],
    [{ AI_MODEL: 'demo, gpt-5' }, noModel('AI_MODEL', 'gpt-5')],
    [{ AI_MODEL: 'openai:gpt-5', OPENAI_API_KEY: 'key', AI_MODELS: 'compatible:tiny' }, noServer],
    [{ AI_MODELS: 'demo, demo=Again' }, 'AI_MODELS: names "demo" twice'],
    [{ AI_MODELS: 'gpt-5' }, noModel('AI_MODELS', 'gpt-5')],
    [{ AI_PRICES: '{"gpt-5": {"input": 1, "output": 2}}' }, noModel('AI_PRICES', 'gpt-5')],
    [{ REQUESTS_PER_TOKEN: '1e3' }, 'REQUESTS_PER_TOKEN: "1e3" is not a whole number from 0 to 999999999 or "off"'],
    [
      { SIGN_INS_PER_ADDRESS: '1000000000' },
      'SIGN_INS_PER_ADDRESS: "1000000000" is not a whole number from 0 to 999999999 or "off"',
    ],
    [{ AI_MODEL: 'anthropic:x' }, 'AI_API_KEY: the model requires a key; set this variable or ANTHROPIC_API_KEY'],
    [
      { AI_MODEL: 'google:x' },
      'AI_API_KEY: the model requires a key; set this variable or GOOGLE_GENERATIVE_AI_API_KEY',
    ],
  ])('names the variable and what it may be: %j', (environment, problem) => {
    expect(problemsOf(environment)).toEqual([problem]);
  });

  it.each([
    'https://skein.test/chat',
    'https://skein.test/chat/',
    'https://skein.test/?a=1',
    'https://skein.test?',
    'https://skein.test#top',
    'https://ada@skein.test',
    'https://ada:hunter2@skein.test',
  ])('is an address of people that is more than an origin: %s', (value) => {
    const problem =
      'PUBLIC_URL: must be an origin such as https://skein.example, without path, user name, password, "?" or "#"';
    expect(problemsOf({ PUBLIC_URL: value })).toEqual([problem]);
  });

  it.each(['gpt-5', 'openai:', 'constructor:x', 'demo:x'])('is a model that does not exist: %s', (name) => {
    expect(problemsOf({ AI_MODEL: name, AI_API_KEY: 'key' })).toEqual([noModel('AI_MODEL', name)]);
  });

  it.each(['', ' '])('is a compatible model without an address: %j', (address) => {
    expect(problemsOf({ AI_MODEL: 'compatible:x', AI_BASE_URL: address })).toEqual([noServer]);
  });

  it('is not reported for a key in the provider’s own variable, nor for a missing key without a worker', () => {
    expect(problemsOf({ AI_MODEL: 'openai:gpt-5', OPENAI_API_KEY: 'key' })).toEqual([]);
    expect(problemsOf({ AI_MODEL: 'google:x', AI_API_KEY: 'key' })).toEqual([]);
    expect(problemsOf({ AI_MODEL: 'openai:x', ROLE: 'api', DATABASE_URL: 'postgres://db/skein' })).toEqual([]);
  });

  it('is reported together with all the others', () => {
    const names = ['AI_MODEL', 'DATABASE_URL', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'REDIS_URL', 'ROLE'];
    const problems = problemsOf(Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(problems.map((problem) => problem.split(':')[0]).toSorted()).toEqual(names);
  });

  it('never repeats a value that may hold a secret', () => {
    const secrets = {
      DATABASE_URL: 'mysql://u:hunter2@db/skein',
      DIRECT_DATABASE_URL: 'hunter2',
      REDIS_URL: 'http://u:hunter2@redis',
      PUBLIC_URL: 'https://u:hunter2@skein.test',
      AI_BASE_URL: 'gopher://u:hunter2@model',
      AI_API_KEY: 'hunter2',
      AI_HEADERS: 'hunter2',
      PORT: 'x',
    };
    const problems = problemsOf(secrets);
    expect(problems.length).toBeGreaterThan(3);
    expect(problems.join('\n')).not.toContain('hunter2');
  });
});
