/**
 * Which room of `src` may know which. A room imports from the rooms in its list, types too, and from itself; nothing imports in a
 * circle. `test/architecture.test.ts` runs this.
 */

const domain = ['builder', 'contract', 'errors', 'ids', 'modules'];

/** A room is a file or a folder; the longest name that fits counts. */
export const rooms = {
  errors: ['contract', 'modules/identity', 'modules/threads'],
  ids: [],
  metrics: [],
  tracing: ['async', 'environment'],
  log: ['config'],
  async: [],
  contract: [],
  environment: [],
  services: ['async', 'auth', 'fairness', 'http', 'metrics', 'modules/**', 'rates', 'server', 'tracing'],
  builder: ['contract', 'errors', 'graphql', 'modules/**', 'rates', 'services'],
  config: [
    'assistant',
    'auth',
    'environment',
    'graphql',
    'modules/attachments',
    'modules/models',
    'modules/usage',
    'rates',
    'tracing',
  ],
  fairness: ['async', 'errors'],
  http: ['errors', 'fairness', 'metrics', 'rates', 'tracing'],
  rates: ['async', 'environment', 'errors', 'modules/identity', 'tracing'],
  database: ['async'],
  auth: ['contract', 'environment', 'errors', 'ids', 'modules/identity', 'rates'],
  modules: ['builder', 'contract', 'errors', 'ids'],
  'modules/identity': [...domain, 'async'],
  'modules/models': [...domain, 'modules/threads'],
  'modules/threads': [...domain, 'modules/identity'],
  'modules/messages': [...domain, 'modules/identity', 'modules/threads'],
  'modules/attachments': [...domain, 'modules/identity', 'modules/messages', 'modules/threads'],
  'modules/feedback': [...domain, 'modules/identity', 'modules/messages', 'modules/threads'],
  'modules/deletion': [...domain, 'modules/identity', 'modules/threads'],
  'modules/export': [...domain, 'modules/identity', 'modules/messages'],
  'modules/usage': [...domain, 'modules/identity'],
  'modules/nodes': [...domain, 'modules/identity', 'modules/threads'],
  'modules/tokens': ['async'],
  'modules/responses': [
    ...domain,
    'async',
    'fairness',
    'metrics',
    'modules/identity',
    'modules/messages',
    'modules/threads',
    'modules/tokens',
    'modules/usage',
    'tracing',
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
  'modules/feeds': [...domain, 'async', 'fairness', 'modules/identity', 'modules/threads'],
  'modules/presence': [...domain, 'async', 'fairness', 'modules/feeds', 'modules/identity', 'modules/threads'],
  assistant: ['contract', 'fairness', 'modules/attachments', 'modules/messages', 'modules/models', 'modules/responses'],
  graphql: [
    'async',
    'builder',
    'contract',
    'errors',
    'fairness',
    'graphql/document-types',
    'http',
    'metrics',
    'modules/**',
    'rates',
    'server',
    'services',
  ],
  'graphql/document-types': [],
  rest: ['contract', 'async', 'errors', 'fairness', 'graphql/document-types', 'graphql/gateway', 'http', 'rates'],
  routes: [
    'auth',
    'builder',
    'errors',
    'fairness',
    'graphql',
    'http',
    'metrics',
    'modules/**',
    'rates',
    'rest',
    'services',
  ],
  app: ['auth', 'graphql', 'http', 'metrics', 'rates', 'rest', 'routes', 'services'],
  server: ['config', 'errors', 'fairness', 'http', 'rates'],
  process: [
    'async',
    'app',
    'assistant',
    'auth',
    'config',
    'database',
    'fairness',
    'graphql',
    'http',
    'metrics',
    'modules/**',
    'rates',
    'rest',
    'routes',
    'server',
    'services',
    'tracing',
  ],
  serve: [
    'async',
    'app',
    'assistant',
    'auth',
    'config',
    'database',
    'metrics',
    'modules/**',
    'process',
    'routes',
    'server',
    'services',
    'tracing',
  ],
  cli: ['assistant', 'async', 'config', 'contract', 'database', 'errors', 'log', 'modules/**', 'process', 'serve'],
  main: ['cli'],
  web: ['contract', 'graphql/document-types'],
};

const transports =
  'graphql/(http|graphiql|authenticate-request|errors/http-errors|request-body|sse/(endpoint|params))|rest/(router|pipeline|serve-document)';

const names = Object.keys(rooms);

/** The files of a room, without those of the rooms within it, or with them for a name that ends with `/**`. */
function pathOf(name) {
  if (name.endsWith('/**')) return `^src/${name.slice(0, -3)}/`;
  const within = names
    .filter((other) => other.startsWith(`${name}/`))
    .map((other) => `${other.slice(name.length + 1)}/`);
  const others = within.length > 0 ? `(?!${within.join('|')})` : '';
  return `^src/${name}(\\.tsx?$|/${others})`;
}

export default {
  forbidden: [
    ...names.map((room) => ({
      name: `${room} knows only ${rooms[room].join(', ') || 'itself'}`,
      severity: 'error',
      from: { path: pathOf(room) },
      to: { path: '^src/', pathNot: [room, ...rooms[room]].map(pathOf) },
    })),
    { name: 'every file is in a room', severity: 'error', from: { path: '^src/', pathNot: names.map(pathOf) }, to: {} },
    {
      name: 'REST is a client of the graph: it knows neither Prisma nor the domain, not even their types',
      severity: 'error',
      from: { path: '^src/rest/' },
      to: { path: '^(src/(builder|services|database|modules)|prisma/|node_modules/@prisma/)' },
    },
    {
      name: 'the domain knows no HTTP',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^node_modules/(koa|@koa|@types/koa|graphql-yoga)/|^(node:)?https?$' },
    },
    {
      name: 'only the transports know Koa',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(app|routes/.+|http/.+|rates/rate-headers|${transports})\\.ts$` },
      to: { path: '^node_modules/(@types/)?(koa|@koa)/' },
    },
    {
      name: 'OpenTelemetry is known to one room',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tracing/(open-telemetry|quiet-exporter)\\.ts$' },
      to: { path: '^node_modules/@opentelemetry/' },
    },
    {
      name: 'OpenTelemetry is loaded only where traces are configured',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/tracing/open-telemetry\\.ts$', dependencyTypesNot: ['dynamic-import'] },
    },
    { name: 'no circles', severity: 'error', from: { path: '^src/' }, to: { circular: true, path: '^src/' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: ['node_modules', 'prisma/generated'] },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
  },
};
