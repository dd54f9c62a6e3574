/** Every place of the schema that takes an id, and an operation that puts one there. */
import {
  type GraphQLArgument,
  GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { schema } from '../../../src/graphql/schema.js';

export interface IdPlace {
  /** `sendMessage › input.threadId` */
  name: string;
  kind: 'query' | 'mutation' | 'subscription';
  field: string;
  /** An operation with this id in this place, and ids that nothing has in all the others. */
  operation: (id: string) => string;
}

type Input = GraphQLArgument | GraphQLInputField;

/** Every argument that takes an id, of every root field, and every field of their inputs that does. */
export function idPlaces(): IdPlace[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {}).flatMap((field) =>
      placesIn(field.args).map((path) => ({
        name: `${field.name} › ${path}`,
        kind: (root?.name.toLowerCase() ?? 'query') as IdPlace['kind'],
        field: field.name,
        operation: (id) => operationOf(root?.name.toLowerCase() ?? '', field, { path, id }),
      })),
    ),
  );
}

function placesIn(inputs: readonly Input[]): string[] {
  return inputs.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    if (named.name === 'ID' || name === 'after') return [name];
    return isInputObjectType(named) ? placesIn(Object.values(named.getFields())).map((path) => `${name}.${path}`) : [];
  });
}

interface Wanted {
  path: string;
  id: string;
}

function operationOf(kind: string, field: GraphQLField<unknown, unknown>, wanted: Wanted): string {
  const args = literals(field.args, { ...wanted, above: '' });
  const errors = '... on Error { code message }';
  const selection = kind === 'mutation' ? `{ __typename ${errors} }` : '{ __typename }';
  return `${kind} { ${field.name}(${args}) ${selection} }`;
}

function literals(inputs: readonly Input[], wanted: Wanted & { above: string }): string {
  return inputs
    .filter((input) => isWanted(input, wanted) || isRequired(input))
    .map(({ name, type }) => `${name}: ${literal(type, { ...wanted, above: `${wanted.above}${name}` })}`)
    .join(', ');
}

function isWanted({ name }: Input, { path, above }: Wanted & { above: string }): boolean {
  return path === `${above}${name}` || path.startsWith(`${above}${name}.`);
}

function isRequired({ type, defaultValue }: Input): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

function literal(type: GraphQLInputType, wanted: Wanted & { above: string }): string {
  const named = getNamedType(type);
  const value = () => {
    if (isInputObjectType(named)) {
      return `{${literals(Object.values(named.getFields()), { ...wanted, above: `${wanted.above}.` })}}`;
    }
    if (named instanceof GraphQLEnumType) return named.getValues()[0]?.name ?? '';
    if (wanted.above === wanted.path) return JSON.stringify(wanted.id);
    return { Boolean: 'true', Int: '1', Float: '1', DateTime: '"2026-01-01T00:00:00Z"' }[named.name] ?? '"none"';
  };
  return String(type).startsWith('[') ? `[${value()}]` : value();
}
