/**
 * Which room of `src` may know which. A room imports from the rooms in its list, types too, and from itself; nothing imports in a
 * circle. `test/architecture.test.ts` holds the sources against this.
 */

/**
 * A room is a file or a folder; the longest name that fits counts. `domain` is what every room of the domain knows. What a file of
 * another service holds, `modules/import/file`, is for the service, the command line and the browser: it imports nothing.
 */
const table = `
errors: contract
ids:
platform/metrics:
platform/tracing: platform/{async,environment}
log: config
platform/async:
platform/files:
contract:
platform/environment:
platform/date-time:
services: auth http modules/** platform/{async,fairness,metrics,rates,server,tracing}
builder: contract errors modules/** services platform/{date-time,fairness,rates}
config: assistant auth database graphql modules/tokens/redis modules/{attachments,models,usage} platform/{environment,rates,tracing}
platform/fairness: errors platform/async
http: errors platform/{fairness,metrics,rates,tracing}
platform/rates: errors platform/{async,environment,tracing}
database: database/embedded platform/{async,files}
database/embedded: platform/{async,files}
auth: contract errors ids modules/identity platform/{async,environment,rates}
modules: builder contract errors ids
modules/identity: domain platform/async
modules/models: domain modules/threads
modules/threads: domain modules/identity
modules/messages: domain modules/{identity,threads}
modules/attachments: domain modules/{identity,messages,threads}
modules/feedback: domain modules/{identity,messages,threads}
modules/deletion: domain modules/{identity,threads}
modules/export: domain modules/{identity,messages}
modules/import: domain modules/import/file modules/{identity,responses,threads} platform/date-time
modules/import/file:
modules/usage: domain modules/identity
modules/nodes: domain modules/{identity,threads}
modules/tokens: platform/async
modules/responses: domain modules/{identity,messages,threads,tokens,usage} platform/{async,fairness,metrics,tracing}
modules/messages/sending: domain modules/{attachments,identity,messages,models,responses,threads,usage}
modules/messages/branches: domain modules/messages/sending modules/{identity,messages,models,responses,threads}
modules/feeds: domain modules/{identity,threads} platform/{async,fairness}
modules/presence: domain modules/{feeds,identity,threads} platform/{async,fairness}
assistant: contract modules/{attachments,messages,models,responses} platform/{async,fairness}
graphql: builder contract errors graphql/document-types http modules/** services platform/{async,fairness,metrics,rates,server}
graphql/document-types:
rest: contract errors graphql/document-types graphql/gateway http platform/{async,date-time,fairness,rates}
routes: auth builder errors graphql http modules/** rest services platform/{fairness,metrics,rates}
app: auth graphql http rest routes services platform/{metrics,rates}
platform/server: config errors http platform/{fairness,rates}
process: app assistant auth config database/** graphql http modules/** rest routes services platform/{async,fairness,metrics,rates,server,tracing}
serve: app assistant auth config database modules/** process routes services platform/{async,metrics,server,tracing}
cli: assistant config contract database/** errors log modules/** process serve platform/{async,files}
main: cli
web: contract graphql/document-types modules/import/file
`;

const domain = ['builder', 'contract', 'errors', 'ids', 'modules'];

/** The rooms that `folder/{one,two}` names. */
function roomsIn(word: string): string[] {
  if (word === 'domain') return domain;
  const [, folder, names] = /^(.*)\{(.*)\}$/.exec(word) ?? [];
  return names?.split(',').map((name) => `${folder}${name}`) ?? [word];
}

const rooms = Object.fromEntries(
  Array.from(table.matchAll(/^(\S+):(.*)$/gm), ([, room = '', words = '']): [string, string[]] => [
    room,
    (words.match(/\S+/g) ?? []).flatMap(roomsIn),
  ]),
);

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
