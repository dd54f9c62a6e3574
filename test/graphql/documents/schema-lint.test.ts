/**
 * The rules that everything in the schema keeps, whoever adds to it: names, descriptions, connections as Relay's specification has
 * them (https://relay.dev/graphql/connections.htm), and objects that a cache finds again by their id.
 */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';

const sdl = readFileSync('schema.graphql', 'utf8');

/** What the rules say of a schema, a line a finding. */
function lint(text: string): string[] {
  const schema = buildSchema(text);
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  );
  return types.flatMap((type) => [
    ...namesOf(type),
    ...descriptionsOf(type),
    ...(isObjectType(type) ? [...connectionOf(type), ...pagingOf(type), ...identityOf(type, schema)] : []),
  ]);
}

type Member = { name: string; description?: string | null | undefined };

/** Fields, arguments and values of a type, by their coordinates. */
function membersOf(type: GraphQLNamedType): [coordinate: string, member: Member][] {
  if (isEnumType(type)) return type.getValues().map((value) => [`${type.name}.${value.name}`, value]);
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field]);
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field): [string, Member][] => [
    [`${type.name}.${field.name}`, field],
    ...field.args.map((argument): [string, Member] => [`${type.name}.${field.name}(${argument.name}:)`, argument]),
  ]);
}

function namesOf(type: GraphQLNamedType): string[] {
  const form = isEnumType(type) ? /^[A-Z][A-Z0-9_]*$/ : /^[a-z][a-zA-Z0-9]*$/;
  const ofType = /^[A-Z][a-zA-Z0-9]*$/.test(type.name) ? [] : [`naming: ${type.name}`];
  const prefix = type.name.toLowerCase();
  return [
    ...ofType,
    ...membersOf(type).flatMap(([coordinate, { name }]) => [
      ...(form.test(name) ? [] : [`naming: ${coordinate}`]),
      ...(isObjectType(type) && name.toLowerCase().startsWith(prefix) && !coordinate.endsWith(':)')
        ? [`no type name before a field: ${coordinate}`]
        : []),
    ]),
  ];
}

function descriptionsOf(type: GraphQLNamedType): string[] {
  const members: [string, Member][] = [[type.name, type], ...membersOf(type)];
  return members.filter(([, { description }]) => !description?.trim()).map(([at]) => `description: ${at}`);
}

/** `edges` of `{ node, cursor }` and a `pageInfo`, whose fields Relay's specification names. */
function connectionOf(type: GraphQLObjectType): string[] {
  const fields = type.getFields();
  const shapeOf = (names: Record<string, RegExp>) =>
    Object.entries(names)
      .filter(([name, shape]) => !shape.test(String(fields[name]?.type)))
      .map(([name]) => `connection: ${type.name}.${name}`);
  if (type.name === 'PageInfo') {
    const boolean = /^Boolean!$/;
    return shapeOf({ hasNextPage: boolean, hasPreviousPage: boolean, startCursor: /^String$/, endCursor: /^String$/ });
  }
  if (type.name.endsWith('Connection')) return shapeOf({ edges: /^\[\w+Edge!?\]!?$/, pageInfo: /^PageInfo!$/ });
  return type.name.endsWith('Edge') ? shapeOf({ node: /^\w+!?$/, cursor: /^String!$/ }) : [];
}

/** A connection is read forwards by `first` and `after`; `last` and `before` come together. */
function pagingOf(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields()).flatMap((field) => {
    if (!getNamedType(field.type).name.endsWith('Connection')) return [];
    const has = (name: string, form: string) => String(argumentOf(field, name)?.type) === form;
    const backwards = [argumentOf(field, 'last'), argumentOf(field, 'before')].filter(Boolean).length;
    return has('first', 'Int') && has('after', 'String') && backwards !== 1
      ? []
      : [`paging: ${type.name}.${field.name}`];
  });
}

function argumentOf(field: GraphQLField<unknown, unknown>, name: string) {
  return field.args.find((argument) => argument.name === name);
}

/** An object of a type that changes has an `id: ID!`, so that a cache finds it again. These are values instead. */
const values = new Set([
  ...['PageInfo', 'InputProblem', 'ThreadHistoryEvent', 'ThreadMatch', 'ThreadMatchPart', 'UsageSum', 'Generation'],
  ...['MessageVariants', 'DataExportPage', 'DataExportRecord', 'FeedbackPage', 'GivenFeedback'],
  // What a mutation came to.
  ...['AnnouncedWriting', 'AttachmentUpload', 'ChangedThreads', 'CreatedAccessToken', 'InvitedMember'],
  ...['ConversationImport', 'ImportOmissionCount', 'ImportRefusalCount'],
  ...['NewThreadPrivacy', 'PostedMessage', 'StoppedResponse', 'WithdrawnFeedback'],
  // A response and a rating are found by their message, an identity by its `sub`.
  ...['ResponseComplete', 'ResponseFailed', 'ResponseInterrupted', 'ResponseProcessing', 'Feedback', 'Identity'],
  // Events: their cursor is a position, or the next one replaces them.
  ...['ResponseDone', 'ResponseRestarted', 'ResponseRetrying', 'ResponseStatus', 'ResponseThinking', 'ResponseToken'],
  ...['ThreadHidden', 'ThreadUpserted', 'ThreadsCaughtUp', 'ThreadPresence'],
]);

function identityOf(type: GraphQLObjectType, schema: GraphQLSchema): string[] {
  const isRoot = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type);
  if (isRoot || values.has(type.name) || /(Error|Connection|Edge|Block)$/.test(type.name)) return [];
  const id = type.getFields()['id']?.type;
  return isNonNullType(id) && String(id) === 'ID!' ? [] : [`identity: ${type.name}`];
}

describe('schema.graphql', () => {
  it('keeps the rules for names, descriptions, connections and identity', () => {
    expect(lint(sdl)).toEqual([]);
  });

  it('would not keep them as this one is', () => {
    const wrong = `
      "Fields." type Query { "List." things: ThingConnection! "Text." other_name: String "Nothing." said: String silent: String }
      "Page." type ThingConnection { "All." edges: [ThingEdge!]! "Page." pageInfo: PageInfo! }
      "One." type ThingEdge { "It." node: Thing! "Where." position: String! }
      "End." type PageInfo { "1." hasNextPage: Boolean! "2." hasPreviousPage: Boolean! "3." startCursor: String }
      "It." type Thing { "Id." id: String! "Name." thingName: String }
      "No id." type Part { "Name." name: String }`;
    expect(lint(wrong).toSorted()).toEqual([
      ...['connection: PageInfo.endCursor', 'connection: ThingEdge.cursor', 'description: Query.silent'],
      ...['identity: Part', 'identity: Thing', 'naming: Query.other_name'],
      ...['no type name before a field: Thing.thingName', 'paging: Query.things'],
    ]);
  });
});
