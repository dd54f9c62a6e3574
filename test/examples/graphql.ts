/**
 * `graphql('query …')` with the types of its variables and of its result, from the schema alone: no code is generated for a
 * document. In your project: `npm i gql.tada`, and `gql.tada generate-output`, which writes the types of the schema once.
 */
import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../../src/graphql/document-types/generated/schema-types.js';

export const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string } }>();
