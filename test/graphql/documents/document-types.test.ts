/**
 * Every document is typed by the schema: one that selects a field that the schema does not have, as after a rename, is a type
 * error in the web application, in REST and in the tests. What is expected here is checked by the compiler.
 */
import { expectTypeOf, it } from 'vitest';
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import type { operation } from '../../../src/graphql/gateway/operation.js';
import type { graphql } from '../../../src/web/api/graphql.js';
import type { Document } from '../../support/clients/graphql-client.js';

type InRest<Text extends string> = Parameters<typeof operation<Text>>[0];
type InWeb<Text extends string> = Parameters<typeof graphql<Text, []>>[0];

it('a document with a field that the schema does not have fits nowhere', () => {
  type Known = 'query ($id: ID!) { thread(id: $id) { owner { name } } }';
  type Unknown = 'query ($id: ID!) { thread(id: $id) { owner { label } } }';
  expectTypeOf<Known>().toExtend<InWeb<Known> & InRest<Known> & Document<Known>>();
  expectTypeOf<Unknown>().not.toExtend<InWeb<Unknown>>();
  expectTypeOf<Unknown>().not.toExtend<InRest<Unknown>>();
  expectTypeOf<Unknown>().not.toExtend<Document<Unknown>>();
});

it('an input has the fields of the schema, and no others', () => {
  type Input = InputOf<'mutation ($input: CreateThreadInput!) { createThread(input: $input) { __typename } }'>['input'];
  expectTypeOf<'isPrivate'>().toExtend<keyof Input>();
  expectTypeOf<'isHidden'>().not.toExtend<keyof Input>();
});
