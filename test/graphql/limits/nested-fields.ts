/** Queries that reach every nested field below a type, made from the schema, so that no field can be forgotten. */
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { schema } from '../../../src/graphql/schema.js';

/** One way down to a field, and the type of the object that is found there. */
export interface NestedField {
  /** `messages › edges › node › response`. */
  path: string;
  typeName: string;
  /** What to write within the braces of the type at the top. */
  selection: string;
}

/** Every way from `top` down to a field with fields of its own; a way ends where it meets a type again. */
export function nestedFields(top: GraphQLObjectType, met: readonly GraphQLObjectType[] = []): NestedField[] {
  const seen = [...met, top];
  return Object.values(top.getFields()).flatMap((field) =>
    objectTypesOf(field).flatMap((type) => {
      const narrow = (selection: string) => (isAbstract(field) ? `... on ${type.name} { ${selection} }` : selection);
      const inside = (selection: string) => `${field.name}${argumentsOf(field)} { ${narrow(selection)} }`;
      const here = { path: field.name, typeName: type.name, selection: inside(leavesOf(type)) };
      if (seen.includes(type)) return [here];
      const below = nestedFields(type, seen).map((way) => ({
        ...way,
        path: `${field.name} › ${way.path}`,
        selection: inside(way.selection),
      }));
      return [here, ...below];
    }),
  );
}

function objectTypesOf(field: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] {
  const type = getNamedType(field.type);
  if (!isCompositeType(type) || field.args.some(isRequiredArgument)) return [];
  return isObjectType(type) ? [type] : schema.getPossibleTypes(type);
}

function isAbstract(field: GraphQLField<unknown, unknown>): boolean {
  return !isObjectType(getNamedType(field.type));
}

function leavesOf(type: GraphQLObjectType): string {
  const leaves = Object.values(type.getFields()).filter(
    (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
  );
  return ['__typename', ...leaves.map((field) => field.name)].join(' ');
}

/** Pages are kept small, so that the operation stays within the limit of items. */
function argumentsOf(field: GraphQLField<unknown, unknown>): string {
  return field.args.some((argument) => argument.name === 'first') ? '(first: 8)' : '';
}
