/**
 * What the examples know of the schema is made from it and committed, as `schema.graphql` is: after a change of the schema, run
 * `npm run schema`. Nothing else validates the documents themselves: their types only tell whether the fields exist.
 */
import { isAbstractType, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import * as documents from './documents.js';

describe('what the examples know of the schema is up to date:', () => {
  it('the members of its unions and interfaces, for the cache of Apollo Client', async () => {
    const abstract = Object.values(schema.getTypeMap()).filter(isAbstractType);
    const membersOf = abstract.map((type) => {
      const members = schema.getPossibleTypes(type).map(({ name }) => `'${name}'`);
      return `  ${type.name}: [${members.join(', ')}],\n`;
    });
    const text = `export const possibleTypes = {\n${membersOf.join('')}};\n`;
    await expect(text).toMatchFileSnapshot('generated/possible-types.ts');
  });
});

describe('every document of the examples', () => {
  it.each(Object.entries(documents))('fits the schema: %s', (_name, document) => {
    expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
  });
});
