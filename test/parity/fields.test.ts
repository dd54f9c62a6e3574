/** REST and GraphQL have the same fields: each has exactly one counterpart, or a reason why it has none. */
import { isEnumType, isInputObjectType, isObjectType, isUnionType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/errors.js';
import { schema } from '../../src/graphql/schema.js';
import { readSources } from '../support/source-tree.js';
import { type Counterpart, eventsWithoutOwn, inputs, notObjects, outputs, within } from './counterparts.js';
import * as problems from './problems.js';
import { fieldsOf, objects, schemas } from './rest-objects.js';

const sorted = (names: Iterable<string>) => [...names].sort();

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
