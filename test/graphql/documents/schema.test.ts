/**
 * `schema.graphql` is a snapshot: a change of the surface is seen in review. The types that documents are checked against are
 * made from it and committed too, so that an editor and the compiler know them in a fresh checkout. `npm run schema` writes both.
 */
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  printSchema,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
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

  it('has everything that the endpoints of REST ask of it', () => {
    expect(endpoints).toHaveLength(9);
    for (const { operationId, operation } of endpoints) {
      expect(validate(schema, operation.document), operationId).toEqual([]);
    }
  });

  it('describes every type, field, argument and value', () => {
    const bare: string[] = [];
    const note = (path: string, { description }: { description?: string | null | undefined }) => {
      if (!description) bare.push(path);
    };
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      note(type.name, type);
      if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
      if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        note(`${type.name}.${field.name}`, field);
        for (const arg of 'args' in field ? field.args : []) note(`${type.name}.${field.name}(${arg.name})`, arg);
      }
    }
    expect(bare).toEqual([]);
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

  it('shows nothing of leases, epochs, digests or queues', () => {
    const names = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type) || isUnionType(type)
        ? [type.name, ...Object.keys('getFields' in type ? type.getFields() : {})]
        : [],
    );
    expect(names.filter((name) => /epoch|lease|digest|worker|queuedAt|sequence|xid/i.test(name))).toEqual([]);
  });
});
