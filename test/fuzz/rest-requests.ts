/** Requests to REST, made from the OpenAPI document: good ones, good ones with a change, and others. */
import { prefixes } from '../../src/rest/endpoints.js';
import { nameOf, type Operation, operations, type Schema, schemas } from '../parity/rest-objects.js';
import type { Chance } from '../support/chance.js';
import { credentials, type GeneratedRequest, type Surroundings } from './generated-request.js';
import { asHeader, hostileText, hostileValue, nearText } from './values.js';

const otherMethods = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE', 'REPORT'];
const mediaTypes = [
  ...['application/json; charset=utf-8', 'application/json;charset=latin1', 'text/plain'],
  ...['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', '', 'application/problem+json'],
  'APPLICATION/JSON',
];

export function restRequest(around: Surroundings): GeneratedRequest {
  const { chance } = around;
  const operation = chance.pick(operations);
  const path = `${chance.pick(prefixes)}${pathOf(around, operation.path)}${queryOf(around, operation)}`;
  const hasBody = operation.requestBody !== undefined;
  const headers = {
    ...credentials(around),
    ...headersOf(around),
    ...(hasBody ? { 'content-type': contentType(chance) } : {}),
  };
  const body = hasBody || chance.is(0.02) ? { body: bodyOf(around, operation) } : {};
  return {
    about: 'rest',
    method: chance.is(0.06) ? chance.pick(otherMethods) : operation.method,
    path,
    headers,
    ...body,
  };
}

function contentType(chance: Chance): string {
  return chance.is(0.93) ? 'application/json' : chance.pick(mediaTypes);
}

function pathOf({ chance, known }: Surroundings, template: string): string {
  const path = template.replaceAll(/\{([a-z]+)-id\}/g, (_, name) =>
    encodeURIComponent(
      known
        .id(chance, name === 'thread' ? 'thr' : 'msg')
        .slice(0, 3000)
        .toWellFormed(),
    ),
  );
  if (chance.is(0.95)) return path;
  return chance.pick([
    ...[`${path}/`, path.toUpperCase(), path.replace('/', '//'), `${path}/%2e%2e/me`, '/openapi.json', '', '/nothing'],
    ...[path.replace(/_[^/]{3}/, '%ff'), path.replace(/_[^/]{3}/, '%00')],
  ]);
}

function queryOf({ chance, known }: Surroundings, { parameters }: Operation): string {
  const named = parameters.filter((parameter) => parameter.in === 'query');
  const pairs = chance.subset(named, 0.35).map(({ name, schema }) => {
    const good =
      name === 'after'
        ? known.id(chance, 'thr')
        : name === 'last_event_id'
          ? known.cursor(chance)
          : String(goodValue(chance, schema));
    const value = chance.weighted<() => string>([
      [8, () => good],
      [2, () => nearText(chance, good)],
      [1, () => hostileText(chance).slice(0, 3000)],
    ])();
    return `${name}=${chance.is(0.97) ? encodeURIComponent(value.toWellFormed()) : '%ff%'}`;
  });
  if (chance.is(0.05))
    pairs.push(
      chance.pick(['unknown=1', 'limit=1&limit=2', '=', '&&', '%', 'limit', 'q[]=x', 'q[a]=b', '__proto__=x']),
    );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

function headersOf({ chance, known }: Surroundings): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  const maybe = (name: string, share: number, value: () => string | string[]) => {
    if (chance.is(share)) headers[name] = value();
  };
  maybe('idempotency-key', 0.25, () =>
    chance.pick<string | string[]>([
      ...[`key-${chance.below(40)}`, `"key-${chance.below(40)}"`, '', '""', '"', 'x'.repeat(256)],
      ...[asHeader(hostileText(chance)), ['a', 'b']],
    ]),
  );
  maybe('last-event-id', 0.15, () => asHeader(known.cursor(chance)));
  maybe('prefer', 0.1, () =>
    chance.pick(['handling=strict', 'handling="strict"; wait=1', 'respond-async', asHeader(hostileText(chance))]),
  );
  maybe('if-none-match', 0.05, () => chance.pick(['*', 'W/"x"', '"', asHeader(hostileText(chance))]));
  maybe('accept', 0.1, () =>
    chance.pick(['text/event-stream', 'application/xml', '*/*;q=0', ';;;', asHeader(hostileText(chance))]),
  );
  maybe('accept-encoding', 0.05, () => chance.pick(['gzip', 'br;q=1, identity;q=0', '*;q=0', 'zstd', ',,,;q=x']));
  maybe('content-encoding', 0.02, () => chance.pick(['gzip', 'br', 'identity', 'x']));
  maybe('x-request-id', 0.05, () => asHeader(nearText(chance, 'request-1')));
  maybe('x-forwarded-for', 0.1, () =>
    chance.pick([
      ...['198.51.100.7', '2001:db8::1', 'unknown', ', ,', '1.2.3.4, ::ffff:9.9.9.9'],
      asHeader(hostileText(chance)),
    ]),
  );
  maybe('x-http-method-override', 0.01, () => 'DELETE');
  maybe('origin', 0.05, () => chance.pick(['https://skein.test', 'null', 'https://evil.test']));
  maybe('expect', 0.01, () => chance.pick(['100-continue', 'x']));
  return headers;
}

function bodyOf({ chance }: Surroundings, { requestBody }: Operation): string | Buffer {
  const schema = requestBody?.content['application/json']?.schema;
  const good = schema ? goodValue(chance, schema) : {};
  return chance.weighted<() => string | Buffer>([
    [8, () => JSON.stringify(good)],
    [4, () => JSON.stringify(withChange(chance, good))],
    [1, () => nearText(chance, JSON.stringify(good))],
    [1, () => JSON.stringify(hostileValue(chance)) ?? ''],
    [0.3, () => Buffer.from(Array.from({ length: 40 }, () => chance.below(256)))],
    [0.3, () => '['.repeat(chance.pick([33, 3000, 100_000]))],
    [0.3, () => `{"text":"a","text":"b","__proto__":{"text":"c"},"is_private":true}`],
    [0.05, () => JSON.stringify({ text: 'z'.repeat(1_100_000) })],
  ])();
}

/** The object with one of its values replaced, removed or added. */
function withChange(chance: Chance, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return hostileValue(chance);
  const names = [...Object.keys(value), 'unknown', '__proto__'];
  return Object.fromEntries([...Object.entries(value), [chance.pick(names), hostileValue(chance)]]);
}

/** A value that the schema takes. */
function goodValue(chance: Chance, given: Schema): unknown {
  const schema = schemas[nameOf(given) ?? ''] ?? given;
  const { enum: values, type, properties = {}, required = [], maxLength = 200 } = schema;
  if (values) return chance.pick(values);
  const kind = Array.isArray(type) ? chance.pick(type) : type;
  if (kind === 'object') {
    const names = Object.keys(properties).filter((name) => required.includes(name) || chance.is(0.5));
    return Object.fromEntries(names.map((name) => [name, goodValue(chance, properties[name] ?? {})]));
  }
  if (kind === 'boolean') return chance.is(0.5);
  if (kind === 'integer') return chance.pick([schema.minimum ?? 1, 2, 20, schema.maximum ?? 200]);
  if (kind === 'null') return null;
  if (kind === 'array') return [];
  if (schema.format === 'date-time') return chance.pick(['2026-11-20T17:29:00.000Z', '2020-01-01T00:00:00+02:00']);
  return `${chance.pick(['Hello', 'first thread', 'Grüße, 世界', 'a "quoted" or -not', 'x'.repeat(180)])} ${chance.below(1000)}`.slice(
    0,
    maxLength,
  );
}
