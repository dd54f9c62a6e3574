import { validate } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import * as documents from './documents.js';

/** Nothing else validates the documents of the examples: their types only tell whether the fields exist. */
it.each(Object.entries(documents))('the document fits the schema: %s', (_name, document) => {
  expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
});
