/**
 * `schema.graphql` is a snapshot: a change of the surface is seen in review. The types that documents are checked against are
 * made from it and committed too, so that an editor and the compiler know them in a fresh checkout. `npm run schema` writes both.
 */
import {
  type ASTVisitor,
  isInterfaceType,
  isObjectType,
  isUnionType,
  printSchema,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { scopeOfField } from '../../../src/graphql/mutation-scopes.js';
import { schema } from '../../../src/graphql/schema.js';
import { endpoints } from '../../../src/rest/endpoints.js';
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
