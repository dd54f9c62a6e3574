/**
 * Fields whose value is the property of the same name. Pothos gives some of them a function that reads it; without one, the
 * compiled documents of REST read the property in place, which costs a list of fifty threads no calls.
 */
import { type GraphQLSchema, isObjectType } from 'graphql';

/** The names of such fields, by type. */
export type PlainFields = Readonly<Record<string, readonly string[]>>;

/** Takes the functions away. Throws for unknown fields. */
export function readProperties(schema: GraphQLSchema, plainFields: PlainFields): GraphQLSchema {
  for (const [typeName, names] of Object.entries(plainFields)) {
    const type = schema.getType(typeName);
    for (const name of names) {
      const field = isObjectType(type) ? type.getFields()[name] : undefined;
      if (!field) throw new Error(`There is no field ${typeName}.${name}.`);
      delete field.resolve;
    }
  }
  return schema;
}
