/** Generated operations as requests, in every way in which `/graphql` and `/graphql/stream` take them. */
import { credentials, type GeneratedRequest, type Surroundings } from './generated-request.js';
import { type GeneratedOperation, graphqlOperation } from './graphql-operations.js';
import { hostileText, hostileValue, nearText } from './values.js';

export function graphqlRequest(around: Surroundings): GeneratedRequest {
  const { chance } = around;
  const operation = graphqlOperation(around);
  const isGet = chance.is(operation.kind === 'mutation' ? 0.02 : 0.1);
  const accept = acceptOf(around, operation);
  const headers = { ...credentials(around), ...(accept ? { accept } : {}), ...csrf(around) };
  if (isGet) return { about: 'graphql', method: 'GET', path: `/graphql?${search(operation)}`, headers };
  return {
    about: 'graphql',
    method: chance.is(0.98) ? 'POST' : chance.pick(['PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'GET']),
    path: chance.is(0.99) ? '/graphql' : chance.pick(['/graphql/', '/graphql?query=x', '/graphql/nothing', '/GraphQL']),
    headers: { ...headers, ...typeOf(around) },
    body: bodyOf(around, operation),
  };
}

export function graphqlStreamRequest(around: Surroundings): GeneratedRequest {
  const { chance, known } = around;
  const headers = { ...credentials(around), ...csrf(around) };
  const path = '/graphql/stream';
  const token = known.stream(chance);
  const named = chance.is(0.5)
    ? { headers: { 'x-graphql-event-stream-token': token }, search: '' }
    : { headers: {}, search: `?token=${encodeURIComponent(token)}` };
  const operation = graphqlOperation(around);
  const body = bodyOf(around, operation, { operationId: `op-${chance.below(20)}` });
  const withToken = { ...headers, 'x-graphql-event-stream-token': token };
  const asEvents = { ...headers, accept: 'text/event-stream' };
  const typed = typeOf(around);
  const send = (method: string, at: string, sent: Record<string, string>, more = {}): GeneratedRequest => ({
    ...{ about: 'graphql stream', method, path: at, headers: sent, ...more },
  });
  const stream = `${path}${named.search}`;
  return chance.weighted<() => GeneratedRequest>([
    [2, () => send('PUT', path, headers)],
    [2, () => send('GET', stream, { ...asEvents, ...named.headers })],
    [4, () => send('POST', stream, { ...headers, ...named.headers, ...typed }, { body })],
    [4, () => send('POST', path, { ...asEvents, ...typed }, { body })],
    [1, () => send('GET', `${path}?${search(operation)}`, asEvents)],
    [1, () => send('DELETE', `${path}?operationId=op-${chance.below(20)}`, withToken)],
    [0.3, () => send(chance.pick(['PATCH', 'HEAD', 'OPTIONS', 'TRACE']), path, headers)],
  ])();
}

function acceptOf({ chance }: Surroundings, { kind }: GeneratedOperation): string | undefined {
  if (kind === 'subscription' && chance.is(0.9)) return 'text/event-stream';
  return chance.pick([
    ...[undefined, 'application/json', 'application/graphql-response+json', '*/*', 'multipart/mixed'],
    ...['text/event-stream', 'text/html'],
  ]);
}

function csrf({ chance }: Surroundings): Record<string, string> {
  return chance.is(0.5) ? { 'x-graphql-yoga-csrf': '1' } : {};
}

function typeOf({ chance }: Surroundings): Record<string, string> {
  if (chance.is(0.95)) return { 'content-type': 'application/json' };
  return chance.pick([
    {},
    { 'content-type': 'application/graphql' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    { 'content-type': 'application/json; charset=utf-16' },
  ]);
}

function search({ query, variables, operationName }: GeneratedOperation): string {
  const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  if (operationName !== undefined) parameters.set('operationName', operationName);
  return parameters.toString().slice(0, 12_000);
}

const aliases = Array.from({ length: 40 }, (_, index) => `a${index}: me { name }`);

function hostileValues(chance: Surroundings['chance'], names: string): object {
  return Object.fromEntries(names.split(' ').map((name) => [name, hostileValue(chance)]));
}

function bodyOf(
  { chance }: Surroundings,
  { query, variables, operationName }: GeneratedOperation,
  extensions?: object,
): string {
  const good = JSON.stringify({ query, variables, operationName, extensions });
  return chance.weighted<() => string>([
    [30, () => good],
    [1, () => nearText(chance, good)],
    [1, () => JSON.stringify({ query, ...hostileValues(chance, 'variables operationName extensions') })],
    [1, () => JSON.stringify(hostileValue(chance)) ?? ''],
    [0.5, () => JSON.stringify({ query: hostileText(chance) })],
    [0.5, () => JSON.stringify([{ query }, { query }])],
    [0.5, () => JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } } })],
    [0.5, () => JSON.stringify({ query: deep(chance.pick([13, 200, 900])) })],
    [0.5, () => JSON.stringify({ query: `{ ${aliases.join(' ')} }` })],
    [0.2, () => JSON.stringify({ query: '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }' })],
    [0.1, () => JSON.stringify({ query, variables: { big: 'x'.repeat(300_000) } })],
  ])();
}

function deep(levels: number): string {
  return `{ threads { edges { node { ${'continuedFrom { '.repeat(levels)}id${' }'.repeat(levels)} } } } }`;
}
