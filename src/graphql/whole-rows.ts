/**
 * Fields of rows that a statement of ours read as a whole. For each field of each row, Pothos looks up by the path of the
 * field whether Prisma loaded what it needs, which costs more than everything else in a list of fifty. A row that says that
 * it is whole is read as a plain object instead.
 */
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { isObjectType } from 'graphql';
import type { Context } from '../builder.js';
import { isWhole } from '../modules/whole-row.js';

type Resolver<Row> = GraphQLFieldResolver<Row, Context>;

/** How fields of whole rows are resolved, by type and name: from the property of the same name, or by a function. */
export type WholeFields = Readonly<Record<string, Readonly<Record<string, 'property' | Resolver<never>>>>>;

/** Resolves these fields so for whole rows, and leaves them as they are for every other. Throws for unknown fields. */
export function readWholeRows(schema: GraphQLSchema, wholeFields: WholeFields): GraphQLSchema {
  for (const [typeName, ways] of Object.entries(wholeFields)) {
    const type = schema.getType(typeName);
    const fields = isObjectType(type) ? type.getFields() : {};
    for (const [name, way] of Object.entries(ways)) {
      const field = fields[name];
      if (!field?.resolve) throw new Error(`There is no field ${typeName}.${name} with a resolver.`);
      field.resolve =
        way === 'property'
          ? propertyIfWhole(name, field.resolve)
          : callIfWhole(way as Resolver<unknown>, field.resolve);
    }
  }
  return schema;
}

function propertyIfWhole(name: string, otherwise: Resolver<unknown>): Resolver<unknown> {
  return (row, args, context, info) => (isWhole(row) && name in row ? row[name] : otherwise(row, args, context, info));
}

function callIfWhole(resolve: Resolver<unknown>, otherwise: Resolver<unknown>): Resolver<unknown> {
  return (row, args, context, info) =>
    isWhole(row) ? resolve(row, args, context, info) : otherwise(row, args, context, info);
}
