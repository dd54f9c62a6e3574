/** The table of codes in `docs/graphql.md`, by which clients decide what to do. */
import { readFileSync } from 'node:fs';
import { buildSchema, GraphQLInterfaceType } from 'graphql';
import { expect, it } from 'vitest';
import { graphqlCodes } from '../../fuzz/judge.js';

/** The codes of refusals, which are documented as types: `NOT_OWNER` of `NotOwnerError`. */
function codesOfTypes(): Set<string> {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  const refusal = schema.getType('Error');
  const types = refusal instanceof GraphQLInterfaceType ? schema.getPossibleTypes(refusal) : [];
  return new Set(
    types.map(({ name }) =>
      name
        .replace(/Error$/, '')
        .replace(/(?!^)[A-Z]/g, '_$&')
        .toUpperCase(),
    ),
  );
}

it('documents every code that an error of GraphQL may have', () => {
  const documented = new Set(readFileSync('docs/graphql.md', 'utf8').match(/(?<=`)[A-Z_]+(?=`)/g));
  const types = codesOfTypes();
  expect([...graphqlCodes].filter((code) => !documented.has(String(code)) && !types.has(String(code)))).toEqual([]);
});
