/** Operations that select all that there is, made from the schema, so that no field can be forgotten. */
import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { schema } from '../../../src/graphql/schema.js';

/** What arguments nested fields get: small pages, which keep the operation within the limit of items, and inactive messages. */
const nestedArguments: Record<string, string> = { first: '8', includeInactive: 'true' };

/** Everything within the braces of a type. A way down ends at the plain fields of a type that it meets again. */
export function wholeSelection(type: GraphQLNamedType, met: readonly GraphQLNamedType[] = []): string {
  if (!isCompositeType(type)) return '';
  if (!isObjectType(type)) {
    const members = schema.getPossibleTypes(type);
    return `__typename ${members.map((member) => `... on ${member.name} { ${wholeSelection(member, met)} }`).join(' ')}`;
  }
  const fields = Object.values(type.getFields()).map((field) => fieldSelection(field, type, met));
  return ['__typename', ...fields].filter(Boolean).join(' ');
}

function fieldSelection(
  field: GraphQLField<unknown, unknown>,
  parent: GraphQLNamedType,
  met: readonly GraphQLNamedType[],
): string {
  if (field.args.some(isRequiredArgument))
    throw new Error(`${parent.name}.${field.name} needs arguments: give it some`);
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return field.name;
  if (met.includes(parent)) return '';
  const given = field.args.filter(({ name }) => name in nestedArguments);
  const args = given.map(({ name }) => `${name}: ${nestedArguments[name]}`).join(', ');
  return `${field.name}${args && `(${args})`} { ${wholeSelection(type, [...met, parent])} }`;
}

export interface RootField {
  operation: 'query' | 'mutation' | 'subscription';
  name: string;
  field: GraphQLField<unknown, unknown>;
}

/** Every root field of the schema. */
export const rootFields: readonly RootField[] = (['query', 'mutation', 'subscription'] as const).flatMap(
  (operation) => {
    const fields = schema.getRootType(operation as never)?.getFields() ?? {};
    return Object.values(fields).map((field) => ({ operation, name: field.name, field }));
  },
);

/** An operation on a root field with these arguments, as variables; `only` names the one member of its type to select. */
export function wholeOperation({ operation, name, field }: RootField, args: readonly string[], only?: string): string {
  const given = field.args.filter((argument) => args.includes(argument.name));
  const variables = given.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
  const values = given.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const type = only === undefined ? getNamedType(field.type) : schema.getType(only);
  if (!type) throw new Error(`There is no type ${only}.`);
  const inside = only === undefined ? wholeSelection(type) : `__typename ... on ${only} { ${wholeSelection(type)} }`;
  const selected = isCompositeType(type) ? `{ ${inside} }` : '';
  return `${operation}${variables && ` (${variables})`} { ${name}${values && `(${values})`} ${selected} }`;
}
