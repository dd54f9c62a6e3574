/**
 * The types that gql.tada reads a schema from. TypeScript 7 has no programming interface that the command of gql.tada could
 * use, so its library is called instead.
 */
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal';
import { type GraphQLSchema, introspectionFromSchema } from 'graphql';

export function schemaTypes(schema: GraphQLSchema): string {
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  return `${outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true })}\n`;
}
