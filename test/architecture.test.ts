/** The rules that keep the tree readable: which room may know which, and how large a file may grow. */
import { describe, expect, it } from 'vitest';
import { endpoints } from '../src/rest/router.js';
import { findCycles, readSources, type SourceFile } from './support/source-tree.js';

const sources = readSources();

/** What each room may import by value, beside itself. A room is a folder; the longest name that fits counts. */
const rooms: Record<string, readonly string[]> = {
  errors: [],
  ids: [],
  'date-time': [],
  log: [],
  services: [],
  rates: ['database/time-limit', 'errors'],
  'environment-reader': [],
  config: [
    'assistant/model-name',
    'auth/read-openid-connect',
    'graphql/document-list',
    'rates/read-limits',
    'environment-reader',
  ],
  builder: ['date-time', 'errors'],
  http: ['errors', 'fairness'],
  clock: [],
  fairness: ['clock', 'errors'],
  auth: ['modules/identity', 'rates/caller-address', 'errors', 'ids'],
  'modules/identity': ['modules', 'builder', 'errors', 'ids'],
  'modules/threads': ['modules', 'modules/identity', 'builder', 'errors', 'ids'],
  'modules/messages': ['modules', 'modules/identity', 'modules/threads', 'builder', 'errors', 'ids'],
  'modules/attachments': [
    'modules',
    'modules/identity',
    'modules/threads',
    'modules/messages',
    'builder',
    'errors',
    'ids',
  ],
  'modules/tokens': ['clock'],
  'modules/responses': [
    'modules',
    'modules/identity',
    'modules/threads',
    'modules/messages',
    'modules/tokens',
    'builder',
    'errors',
    'ids',
    'clock',
    'fairness',
  ],
  'modules/messages/sending': [
    'modules',
    'modules/identity',
    'modules/threads',
    'modules/messages',
    'modules/attachments',
    'modules/responses',
    'builder',
    'errors',
    'ids',
  ],
  'modules/feeds': [
    'modules',
    'modules/identity',
    'modules/threads',
    'modules/tokens',
    'modules/responses',
    'builder',
    'errors',
    'ids',
    'fairness',
    'clock',
  ],
  'modules/feedback': ['modules', 'modules/identity', 'modules/threads', 'modules/messages', 'builder', 'errors'],
  'modules/nodes': ['modules', 'modules/identity', 'modules/threads', 'builder', 'ids'],
  modules: ['builder', 'errors', 'ids'],
  assistant: ['modules/responses', 'modules/messages', 'fairness'],
  database: [],
  graphql: [
    'modules',
    'modules/identity',
    'modules/threads',
    'modules/messages',
    'modules/responses',
    'modules/feeds',
    'modules/feedback',
    'modules/attachments',
    'modules/messages/sending',
    'modules/nodes',
    'http',
    'rates',
    'builder',
    'errors',
    'fairness',
  ],
  rest: ['graphql/gateway', 'http', 'rates', 'date-time', 'fairness', 'errors'],
  routes: ['auth', 'fairness', 'graphql', 'http', 'modules/attachments', 'modules/identity', 'rates', 'rest', 'errors'],
  app: ['graphql', 'http', 'rates', 'rest', 'routes'],
  server: ['fairness', 'http', 'rates', 'errors'],
  process: [
    'assistant',
    'auth',
    'fairness',
    'database',
    'modules/attachments',
    'modules/identity',
    'modules/messages/sending',
    'modules/responses',
    'modules/threads',
    'modules/tokens',
    'rates',
    'server',
    'rest',
    'http',
  ],
  serve: [
    'app',
    'server',
    'assistant',
    'auth',
    'database',
    'process',
    'modules/attachments',
    'modules/feeds',
    'modules/identity',
    'modules/responses',
  ],
  cli: ['serve', 'process', 'config', 'log', 'database', 'modules/identity', 'modules/threads'],
  main: ['cli'],
  web: [],
};

function roomOf(name: string): string {
  const fitting = Object.keys(rooms).filter((room) => name === room || name.startsWith(`${room}/`));
  return fitting.sort((a, b) => b.length - a.length)[0] ?? `${name} is in no room: add it to the table`;
}

describe('architecture', () => {
  it('imports in one direction only', () => {
    const trespasses = sources.flatMap((file) => {
      const room = roomOf(file.name);
      return file.imports
        .filter(({ isOwn, isTypeOnly, target }) => isOwn && !isTypeOnly && roomOf(target) !== room)
        .filter(({ target }) => !rooms[room]?.some((allowed) => target === allowed || roomOf(target) === allowed))
        .map(({ target }) => `${file.name} (${room}) must not import ${target}`);
    });
    expect(trespasses).toEqual([]);
  });

  it('has no cycles', () => {
    expect(findCycles(sources).map((cycle) => cycle.join(' → '))).toEqual([]);
  });

  it('keeps REST a client of the graph: it knows no Prisma and nothing of the domain, not even its types', () => {
    const deeper = sources
      .filter(({ name }) => name.startsWith('rest/'))
      .flatMap((file) => file.imports.map(({ target }) => `${file.name} → ${target}`))
      .filter((arrow) => /→ (generated|@prisma|modules\/|builder|services|database)/.test(arrow));
    expect(deeper).toEqual([]);
  });

  it('keeps HTTP out of the domain', () => {
    expect(importersOf(/^(koa|@koa\/|graphql-yoga|node:http)/, 'modules/')).toEqual([]);
  });

  it('lets only the transports know Koa', () => {
    const allowed =
      /^(app|routes\/(attachment-transfer|attachments|auth|auth-answers|auth-limits|operator|web-files)|rates\/rate-headers|http\/(allowed-methods|cors|host-header|hsts|problems\/error-boundary|answers\/(compression|representation|paced-answers|send-content))|graphql\/(http|sse\/endpoint|sse\/params|graphiql|open-caller|refusal|request-body)|rest\/(koa-router|pipeline|serve-document))$/;
    expect(importersOf(/^(koa|@koa\/)/, '').filter((name) => !allowed.test(name))).toEqual([]);
  });

  it('reads the environment in one file', () => {
    expect(sources.filter(({ text }) => text.includes('process.env')).map(({ name }) => name)).toEqual(['config']);
  });

  it('lists every endpoint file in the router', () => {
    const files = sources.filter(({ name }) => name.startsWith('rest/endpoints/'));
    expect(files).toHaveLength(endpoints.length);
  });

  it('keeps files short: 180 lines, endpoints 80', () => {
    const linesOf = ({ text }: SourceFile) => text.split('\n').length;
    const limitOf = ({ name }: SourceFile) => (name.startsWith('rest/endpoints/') ? 80 : 180);
    // A schema file is a list of fields, and a list of JSON schemas likewise: length is no complexity there.
    const isList = ({ name }: SourceFile) => /schema(s)?$/.test(name);
    const long = sources.filter((file) => !isList(file) && linesOf(file) > limitOf(file));
    expect(long.map((file) => `${file.name}: ${linesOf(file)} lines`)).toEqual([]);
  });
});

function importersOf(target: RegExp, prefix: string): string[] {
  return sources
    .filter(({ name, imports }) => name.startsWith(prefix) && imports.some((imported) => target.test(imported.target)))
    .map(({ name }) => name);
}
