/**
 * Which room of `src` may know which. A room imports from the rooms in its list, types too, and from itself; nothing imports in a
 * circle. `test/architecture.test.ts` runs this.
 */

const domain = ['builder', 'contract', 'errors', 'ids', 'modules'];

/** A room is a file or a folder; the longest name that fits counts. */
export const rooms = {
  errors: ['modules/identity', 'modules/threads'],
  ids: [],
  log: ['config'],
  async: [],
  contract: [],
  environment: [],
  services: ['async', 'auth', 'fairness', 'http', 'modules/**', 'rates', 'server'],
  builder: ['contract', 'errors', 'graphql', 'modules/**', 'services'],
  config: ['assistant', 'auth', 'environment', 'graphql', 'modules/attachments', 'rates'],
  fairness: ['async', 'errors'],
  http: ['errors', 'fairness'],
  rates: ['async', 'environment', 'errors', 'modules/identity'],
  database: ['async'],
  auth: ['contract', 'environment', 'errors', 'ids', 'modules/identity', 'rates'],
  modules: ['builder', 'contract', 'errors', 'ids'],
  'modules/identity': [...domain, 'async'],
  'modules/threads': [...domain, 'modules/identity'],
  'modules/messages': [...domain, 'modules/identity', 'modules/threads'],
  'modules/attachments': [...domain, 'modules/identity', 'modules/messages', 'modules/threads'],
  'modules/feedback': [...domain, 'modules/identity', 'modules/messages', 'modules/threads'],
  'modules/nodes': [...domain, 'modules/identity', 'modules/threads'],
  'modules/tokens': ['async'],
  'modules/responses': [
    ...domain,
    'async',
    'fairness',
    'modules/identity',
    'modules/messages',
    'modules/threads',
    'modules/tokens',
  ],
  'modules/messages/sending': [
    ...domain,
    'modules/attachments',
    'modules/identity',
    'modules/messages',
    'modules/responses',
    'modules/threads',
  ],
  'modules/feeds': [...domain, 'async', 'fairness', 'modules/identity', 'modules/threads'],
  assistant: ['fairness', 'modules/attachments', 'modules/messages', 'modules/responses'],
  graphql: [
    'async',
    'builder',
    'contract',
    'errors',
    'fairness',
    'graphql/document-types',
    'http',
    'modules/**',
    'rates',
    'server',
    'services',
  ],
  'graphql/document-types': [],
  rest: ['contract', 'async', 'errors', 'fairness', 'graphql/document-types', 'graphql/gateway', 'http', 'rates'],
  routes: ['auth', 'builder', 'errors', 'fairness', 'graphql', 'http', 'modules/**', 'rates', 'rest', 'services'],
  app: ['auth', 'graphql', 'http', 'rates', 'rest', 'routes', 'services'],
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
    'modules/**',
    'rates',
    'rest',
    'routes',
    'server',
    'services',
  ],
  serve: ['async', 'app', 'auth', 'config', 'database', 'modules/**', 'process', 'server', 'services'],
  cli: ['async', 'config', 'database', 'log', 'modules/**', 'process', 'serve'],
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
    { name: 'no circles', severity: 'error', from: { path: '^src/' }, to: { circular: true, path: '^src/' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: ['node_modules', 'prisma/generated'] },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
  },
};
