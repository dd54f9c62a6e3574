/** Every endpoint, parameter, outcome and field of REST has one counterpart in GraphQL, and GraphQL has no other without a reason. */
import { isEnumType, isInputObjectType, isObjectType, isUnionType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/errors.js';
import { schema } from '../../src/graphql/schema.js';
import { readSources } from '../support/source-tree.js';
import { type Counterpart, eventsWithoutOwn, inputs, notObjects, outputs, within } from './counterparts.js';
import { argumentsOf, endpoints, transportParameters, transportStatuses, typesOf } from './endpoints.js';
import { cases } from './outcome-cases.js';
import * as problems from './problems.js';
import { fieldsOf, nameOf, objects, operations, schemas } from './rest-objects.js';

const sorted = (names: Iterable<string>) => [...names].sort();
const rows = Object.entries(endpoints);

describe('the table of endpoints', () => {
  it('has every operation of the OpenAPI document', () => {
    expect(sorted(Object.keys(endpoints))).toEqual(sorted(operations.map(({ operationId }) => operationId)));
  });

  it.each(operations)('gives each parameter of $operationId one place', ({ operationId, parameters, requestBody }) => {
    const counterpart = endpoints[operationId];
    const places = Object.values(counterpart?.parameters ?? {});
    const named = parameters.map(({ name }) => name).filter((name) => !(name in transportParameters));
    expect(sorted(Object.keys(counterpart?.parameters ?? {}))).toEqual(sorted(named));
    expect(places).toEqual([...new Set(places)]);
    expect(counterpart?.body).toBe(nameOf(requestBody?.content['application/json']?.schema ?? {}));
  });

  it.each(rows)('decides on each argument of %s in GraphQL', (_name, endpoint) => {
    const { parameters, body, argumentsGraphqlOnly = {} } = endpoint;
    const input = inputs[body ?? ''];
    const inBody = [...Object.values(input?.fields ?? {}), ...Object.keys(input?.graphqlOnly ?? {})];
    const named = [...Object.values(parameters), ...inBody.map((field) => `input.${field}`)];
    expect(sorted(new Set([...named, ...Object.keys(argumentsGraphqlOnly)]))).toEqual(sorted(argumentsOf(endpoint)));
  });

  it.each(operations)('has every status that $operationId documents', ({ operationId, responses }) => {
    const statuses = Object.keys(endpoints[operationId]?.outcomes ?? {}).map((outcome) => outcome.slice(0, 3));
    const own = (names: string[]) => sorted(new Set(names.filter((status) => !transportStatuses.includes(status))));
    expect(own(statuses)).toEqual(own(Object.keys(responses)));
  });

  it.each(rows)('has every member of the result of %s once', (_name, endpoint) => {
    const outcomes = Object.values(endpoint.outcomes);
    expect(outcomes).toEqual([...new Set(outcomes)]);
    const types = typesOf(endpoint);
    const members = endpoint.value ? [] : types;
    const named = outcomes.filter((outcome) => types.includes(outcome));
    expect(sorted([...named, ...Object.keys(endpoint.graphqlOnly ?? {})])).toEqual(sorted(members));
  });

  it('has an outcome for every problem and every code, or says where it is tested', () => {
    const met = rows.flatMap(([, { outcomes }]) => Object.keys(outcomes).map((outcome) => outcome.slice(4)));
    const codes = met.flatMap((problem) => problems.problems[problem] ?? []);
    const others = [...Object.keys(problems.unreachable), ...Object.keys(problems.elsewhere)];
    expect(sorted([...new Set(codes), ...others])).toEqual(sorted(errorCodes));
  });

  it('has a request for every outcome', () => {
    const asked = new Set(cases.map(({ endpoint, outcome }) => `${endpoint} → ${outcome}`));
    const all = rows.flatMap(([name, { outcomes }]) => Object.keys(outcomes).map((outcome) => `${name} → ${outcome}`));
    expect(sorted(asked)).toEqual(sorted(all));
  });
});

function graphqlFields(type: string): string[] {
  const found = schema.getType(type);
  if (!isObjectType(found) && !isInputObjectType(found)) throw new Error(`GraphQL has no ${type}.`);
  return Object.keys(found.getFields());
}

const counterparts = Object.entries({ ...outputs, ...inputs });

describe('the table of counterparts', () => {
  it('has every object of the OpenAPI document', () => {
    expect(sorted([...counterparts.map(([name]) => name), ...Object.keys(notObjects)])).toEqual(
      sorted(Object.keys(objects)),
    );
  });

  it.each(counterparts)('gives each field of %s in REST one counterpart', (name, { fields, restOnly = {} }) => {
    expect(sorted([...Object.keys(fields), ...Object.keys(restOnly)])).toEqual(sorted(fieldsOf(name)));
    const paths = Object.values(fields);
    expect(paths).toEqual([...new Set(paths)]);
  });

  it.each(counterparts)('decides on each field that %s has in GraphQL', (_name, counterpart) => {
    const { type, fields, graphqlOnly = {} }: Counterpart = counterpart;
    const used = new Set(Object.values(fields).map((path) => path.split('.')[0] ?? ''));
    used.delete('__typename');
    expect(sorted([...used, ...Object.keys(graphqlOnly)])).toEqual(sorted(graphqlFields(type)));
  });

  it.each(Object.entries(within))('decides on each field of %s, which stands between them', (type, part) => {
    expect(sorted([...part.used, ...Object.keys(part.graphqlOnly)])).toEqual(sorted(graphqlFields(type)));
  });

  it.each([
    ['ContentBlock', 'ContentBlock ', {}],
    ['ResponseEvent', 'event ', eventsWithoutOwn],
  ])('has every member of the union %s', (unionName, prefix, others) => {
    const union = schema.getType(unionName);
    const all = isUnionType(union) ? union.getTypes().map(({ name }) => name) : [];
    const own = counterparts.filter(([name]) => name.startsWith(prefix)).map(([, { type }]) => type);
    expect(sorted([...own, ...Object.keys(others)])).toEqual(sorted(all));
  });

  it.each([
    ['Identity', 'role', 'Role'],
    ['Thread', 'state', 'ThreadState'],
    ['Message', 'role', 'MessageRole'],
  ])('has the same values of %s.%s, in lower case', (object, field, enumName) => {
    const type = schema.getType(enumName);
    const values = isEnumType(type) ? type.getValues().map(({ name }) => name.toLowerCase()) : [];
    expect(sorted(schemas[object]?.properties?.[field]?.enum ?? [])).toEqual(sorted(values));
  });
});

describe('the table of problems', () => {
  it('has every code of the catalogue', () => {
    expect(sorted(new Set(Object.values(problems.problems)))).toEqual(sorted(errorCodes));
  });

  it('has every problem that the code of REST names', () => {
    const text = readSources()
      .filter(({ name }) => /^(rest|http\/problems)\//.test(name))
      .map((file) => file.text)
      .join('\n');
    const places = text.match(/(?:\bcode: |notFound\()[^,;\n]*/g) ?? [];
    const named = places.flatMap((place) => [...place.matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)]);
    const known = { ...problems.problems, ...problems.members, ...problems.restOnly };
    expect(sorted(new Set(named.map(([, code = '']) => code)))).toEqual(sorted(Object.keys(known)));
  });

  it('has every field of a problem', () => {
    const named = [...Object.keys(problems.fields), ...Object.keys(problems.fieldsRestOnly)];
    expect(sorted(named)).toEqual(sorted(fieldsOf('Problem')));
  });
});
