/**
 * The examples are typed by what is made of the schema here, and committed as `schema.graphql` is: after a change of the
 * schema, run this file with `-u`. TypeScript 7 has no programming interface that gql.tada's command could use, so its library
 * is called instead; and nothing else checks the documents themselves, which the compiler takes as they are.
 */
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal';
import { introspectionFromSchema, isAbstractType, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import * as documents from './documents.js';

describe('what the examples know of the schema is up to date:', () => {
  it('its types, for gql.tada', async () => {
    const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
    const types = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
    await expect(`${types}\n`).toMatchFileSnapshot('generated/graphql-env.d.ts');
  });

  it('the members of its unions and interfaces, for the cache of Apollo Client', async () => {
    const abstract = Object.values(schema.getTypeMap()).filter(isAbstractType);
    const members = abstract.map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]);
    const json = JSON.stringify(Object.fromEntries(members), null, 2);
    await expect(`export const possibleTypes = ${json};\n`).toMatchFileSnapshot('generated/possible-types.ts');
  });
});

describe('every document of the examples', () => {
  it.each(Object.entries(documents))('fits the schema: %s', (_name, document) => {
    expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
  });
});
