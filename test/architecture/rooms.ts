/**
 * Which room of `src` may know which. A room imports from the rooms in its list, types too, and from itself; nothing imports in a
 * circle. `test/architecture.test.ts` holds the sources against this.
 */

const domain = ['builder', 'contract', 'errors', 'ids', 'modules'];

/** A room is a file or a folder; the longest name that fits counts. */
const rooms: Record<string, string[]> = {
  errors: ['contract'],
  ids: [],
  'platform/metrics': [],
  'platform/tracing': ['platform/async', 'platform/environment'],
  log: ['config'],
  'platform/async': [],
  'platform/files': [],
  contract: [],
  'platform/environment': [],
  'platform/date-time': [],
  services: [
    'platform/async',
    'auth',
    'platform/fairness',
    'http',
    'platform/metrics',
    'modules/**',
    'platform/rates',
    'platform/server',
    'platform/tracing',
  ],
  builder: [
    'contract',
    'errors',
    'modules/**',
    'platform/date-time',
    'platform/fairness',
    'platform/rates',
    'services',
  ],
  config: [
    'assistant',
    'auth',
    'database',
    'platform/environment',
    'graphql',
    'modules/attachments',
    'modules/models',
    'modules/tokens/redis',
    'modules/usage',
    'platform/rates',
    'platform/tracing',
  ],
  'platform/fairness': ['platform/async', 'errors'],
  http: ['errors', 'platform/fairness', 'platform/metrics', 'platform/rates', 'platform/tracing'],
  'platform/rates': ['platform/async', 'platform/environment', 'errors', 'platform/tracing'],
  database: ['platform/async', 'platform/files', 'database/embedded'],
  'database/embedded': ['platform/async', 'platform/files'],
  auth: ['contract', 'platform/async', 'platform/environment', 'errors', 'ids', 'modules/identity', 'platform/rates'],
  modules: ['builder', 'contract', 'errors', 'ids'],
  'modules/identity': [...domain, 'platform/async'],
  'modules/models': [...domain, 'modules/threads'],
  'modules/threads': [...domain, 'modules/identity'],
  'modules/messages': [...domain, 'modules/identity', 'modules/threads'],
  'modules/attachments': [...domain, 'modules/identity', 'modules/messages', 'modules/threads'],
  'modules/feedback': [...domain, 'modules/identity', 'modules/messages', 'modules/threads'],
  'modules/deletion': [...domain, 'modules/identity', 'modules/threads'],
  'modules/export': [...domain, 'modules/identity', 'modules/messages'],
  'modules/import': [
    ...domain,
    'modules/identity',
    'modules/import/file',
    'platform/date-time',
    'modules/responses',
    'modules/threads',
  ],
  // What a file of another service holds, for the service, the command line and the browser: it imports nothing.
  'modules/import/file': [],
  'modules/usage': [...domain, 'modules/identity'],
  'modules/nodes': [...domain, 'modules/identity', 'modules/threads'],
  'modules/tokens': ['platform/async'],
  'modules/responses': [
    ...domain,
    'platform/async',
    'platform/fairness',
    'platform/metrics',
    'modules/identity',
    'modules/messages',
    'modules/threads',
    'modules/tokens',
    'modules/usage',
    'platform/tracing',
  ],
  'modules/messages/sending': [
    ...domain,
    'modules/attachments',
    'modules/identity',
    'modules/messages',
    'modules/models',
    'modules/responses',
    'modules/threads',
    'modules/usage',
  ],
  'modules/messages/branches': [
    ...domain,
    'modules/identity',
    'modules/messages',
    'modules/messages/sending',
    'modules/models',
    'modules/responses',
    'modules/threads',
  ],
  'modules/feeds': [...domain, 'platform/async', 'platform/fairness', 'modules/identity', 'modules/threads'],
  'modules/presence': [
    ...domain,
    'platform/async',
    'platform/fairness',
    'modules/feeds',
    'modules/identity',
    'modules/threads',
  ],
  assistant: [
    'contract',
    'platform/async',
    'platform/fairness',
    'modules/attachments',
    'modules/messages',
    'modules/models',
    'modules/responses',
  ],
  graphql: [
    'platform/async',
    'builder',
    'contract',
    'errors',
    'platform/fairness',
    'graphql/document-types',
    'http',
    'platform/metrics',
    'modules/**',
    'platform/rates',
    'platform/server',
    'services',
  ],
  'graphql/document-types': [],
  rest: [
    'contract',
    'platform/async',
    'errors',
    'platform/fairness',
    'graphql/document-types',
    'graphql/gateway',
    'http',
    'platform/rates',
    'platform/date-time',
  ],
  routes: [
    'auth',
    'builder',
    'errors',
    'platform/fairness',
    'graphql',
    'http',
    'platform/metrics',
    'modules/**',
    'platform/rates',
    'rest',
    'services',
  ],
  app: ['auth', 'graphql', 'http', 'platform/metrics', 'platform/rates', 'rest', 'routes', 'services'],
  'platform/server': ['config', 'errors', 'platform/fairness', 'http', 'platform/rates'],
  process: [
    'platform/async',
    'app',
    'assistant',
    'auth',
    'config',
    'database/**',
    'platform/fairness',
    'graphql',
    'http',
    'platform/metrics',
    'modules/**',
    'platform/rates',
    'rest',
    'routes',
    'platform/server',
    'services',
    'platform/tracing',
  ],
  serve: [
    'platform/async',
    'app',
    'assistant',
    'auth',
    'config',
    'database',
    'platform/metrics',
    'modules/**',
    'process',
    'routes',
    'platform/server',
    'services',
    'platform/tracing',
  ],
  cli: [
    'assistant',
    'platform/async',
    'platform/files',
    'config',
    'contract',
    'database/**',
    'errors',
    'log',
    'modules/**',
    'process',
    'serve',
  ],
  main: ['cli'],
  web: ['contract', 'graphql/document-types', 'modules/import/file'],
};

const transports =
  'graphql/(http|graphiql|authenticate-request|errors/http-errors|request-body|sse/(endpoint|params))|rest/(router|pipeline|serve-document)';

const names = Object.keys(rooms);

/** The files of a room, without those of the rooms within it, or with them for a name that ends with `/**`. */
function filesOf(name: string): RegExp {
  if (name.endsWith('/**')) return new RegExp(`^src/${name.slice(0, -3)}/`);
  const within = names
    .filter((other) => other.startsWith(`${name}/`))
    .map((other) => `${other.slice(name.length + 1)}/`);
  const others = within.length > 0 ? `(?!${within.join('|')})` : '';
  return new RegExp(`^src/${name}(\\.tsx?$|/${others})`);
}

export interface Rule {
  name: string;
  /** The files that the rule is about. */
  from: RegExp;
  except?: RegExp;
  /** What they must not import, by path: of a package below `node_modules`, of Node as `node:http`. */
  to: RegExp;
  allowed?: readonly RegExp[];
  /** Only `import()` may load it. */
  isForStaticImports?: true;
}

export const rules: readonly Rule[] = [
  ...Object.entries(rooms).map(([room, known]) => ({
    name: `${room} knows only ${known.join(', ') || 'itself'}`,
    from: filesOf(room),
    to: /^src\//,
    allowed: [room, ...known].map(filesOf),
  })),
  {
    name: 'REST is a client of the graph: it knows neither Prisma nor the domain, not even their types',
    from: /^src\/rest\//,
    to: /^(src\/(builder|services|database|modules)|prisma\/|node_modules\/@prisma\/)/,
  },
  {
    name: 'the domain knows no HTTP',
    from: /^src\/modules\//,
    to: /^(node_modules\/(koa|@koa|@types\/koa|graphql-yoga)\/|node:https?$)/,
  },
  {
    name: 'only the transports know Koa',
    from: /^src\//,
    except: new RegExp(`^src/(app|routes/.+|http/.+|platform/rates/rate-headers|${transports})\\.ts$`),
    to: /^node_modules\/(@types\/)?(koa|@koa)\//,
  },
  {
    name: 'OpenTelemetry is known to one room',
    from: /^src\//,
    except: /^src\/platform\/tracing\/(open-telemetry|quiet-exporter)\.ts$/,
    to: /^node_modules\/@opentelemetry\//,
  },
  {
    name: 'OpenTelemetry is loaded only where traces are configured',
    from: /^src\//,
    to: /^src\/platform\/tracing\/open-telemetry\.ts$/,
    isForStaticImports: true,
  },
];

/** Whether a file stands in a room. */
export function isInRoom(file: string): boolean {
  return names.some((name) => filesOf(name).test(file));
}
