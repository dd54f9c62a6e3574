/**
 * `schema.graphql` is a snapshot: a change of the surface is seen in review. The types that documents are checked against are
 * made from it and committed too, so that an editor and the compiler know them in a fresh checkout. `npm run schema` writes both.
 */

import { readFileSync } from 'node:fs';
import {
  type ASTVisitor,
  buildSchema,
  type GraphQLField,
  GraphQLInterfaceType,
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
  isUnionType,
  printSchema,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import type { operation } from '../../../src/graphql/gateway/operation.js';
import { scopeOfField } from '../../../src/graphql/mutation-scopes.js';
import { schema } from '../../../src/graphql/schema.js';
import { endpoints } from '../../../src/rest/endpoints.js';
import type { graphql } from '../../../src/web/api/graphql.js';
import { graphqlCodes } from '../../fuzz/judge.js';
import type { Document } from '../../support/clients/graphql-client.js';
import { schemaTypes } from '../../support/clients/schema-types.js';

describe('the schema', () => {
  it('is the one in schema.graphql', async () => {
    await expect(`${printSchema(schema)}\n`).toMatchFileSnapshot('../../../schema.graphql');
  });

  it('is the one that documents are typed by', async () => {
    const file = '../../../src/graphql/document-types/generated/schema-types.d.ts';
    await expect(schemaTypes(schema)).toMatchFileSnapshot(file);
  });

  it('guards every root field with a scope', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const unguarded = roots
      .flatMap((root) => Object.values(root?.getFields() ?? {}))
      .filter((field) => {
        const options = field.extensions['pothosOptions'] as { authScopes?: { scope?: string } } | undefined;
        return !options?.authScopes?.scope;
      });
    // The scopes of these depend on their ids; their own tests hold which ones.
    expect(unguarded.map((field) => field.name)).toEqual(['node', 'revokeAccessToken']);
  });

  it.each(['ResponseEvent', 'ThreadsChange'])('lets a client ask every member of %s for its cursor at once', (name) => {
    const [union, positioned] = [schema.getType(name), schema.getType('Positioned')];
    if (!isUnionType(union) || !isInterfaceType(positioned)) throw new Error(`${name} or Positioned is missing.`);
    const without = union.getTypes().filter((type) => !type.getInterfaces().includes(positioned));
    expect(without.map((type) => type.name)).toEqual([]);
    expect(Object.keys(positioned.getFields())).toEqual(['cursor']);
  });
});

/** The documents of REST run without the limits of strangers, so what those would refuse must not be in them. */
it.each(endpoints)('the document of $operationId fits the schema, and needs its own scope alone', ({ operation }) => {
  expect(validate(schema, operation.document)).toEqual([]);
  const types = new TypeInfo(schema);
  const scopes = new Set<string>();
  const collect: ASTVisitor = {
    Field() {
      const field = types.getFieldDef();
      const scope = field && scopeOfField(field);
      if (scope) scopes.add(scope);
    },
  };
  visit(operation.document, visitWithTypeInfo(types, collect));
  expect([...scopes]).toEqual([operation.scope]);
});

// What a list of threads, a page of messages and a stream show is read in place: a resolver would be called for each of them.

/** The fields of these types that REST selects; those with a resolver stand beside their reason. */
const selected = {
  Thread: ['id', 'name', 'state', 'isPrivate', 'archived', 'createdAt', 'updatedAt'],
  ThreadOwner: ['id', 'name'],
  ThreadConnection: ['edges', 'pageInfo'],
  ThreadEdge: ['node', 'cursor'],
  Message: ['id', 'threadId'],
  MessageConnection: ['edges', 'pageInfo'],
  MessageEdge: ['node', 'cursor'],
  TextBlock: ['text'],
  ImageBlock: ['attachmentId'],
  DocumentBlock: ['attachmentId'],
  UserGetChoiceBlock: ['toolUseId', 'question', 'choices'],
  PageInfo: ['hasNextPage', 'endCursor'],
  ResponseStatus: ['cursor', 'status'],
  ResponseToken: ['cursor'],
  ResponseError: ['cursor', 'message', 'code'],
  ResponseDone: ['cursor'],
};

it.each(Object.entries(selected))('the fields of %s are properties', (name, fields) => {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`There is no type ${name}.`);
  const withResolver = fields.filter((field) => type.getFields()[field]?.resolve !== undefined);
  expect(withResolver).toEqual([]);
});

// The rules that everything in the schema keeps, whoever adds to it: names, descriptions, connections as Relay's specification has
// them (https://relay.dev/graphql/connections.htm), and objects that a cache finds again by their id.
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

// Every document is typed by the schema: one that selects a field that the schema does not have, as after a rename, is a type
// error in the web application, in REST and in the tests. What is expected here is checked by the compiler.
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

// The table of codes in `docs/graphql.md`, by which clients decide what to do.

/** The codes of refusals, which are documented as types: `NOT_OWNER` of `NotOwnerError`. */
function codesOfTypes(): Set<string> {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  const refusal = schema.getType('Error');
  const types = refusal instanceof GraphQLInterfaceType ? schema.getPossibleTypes(refusal) : [];
  return new Set(
    types.map(({ name }) =>
      name
        .replace(/Error$/, '')
        .replace(/(?!^)[A-Z]/g, '_$&')
        .toUpperCase(),
    ),
  );
}

it('documents every code that an error of GraphQL may have', () => {
  const documented = new Set(readFileSync('docs/graphql.md', 'utf8').match(/(?<=`)[A-Z_]+(?=`)/g));
  const types = codesOfTypes();
  expect([...graphqlCodes].filter((code) => !documented.has(String(code)) && !types.has(String(code)))).toEqual([]);
});
