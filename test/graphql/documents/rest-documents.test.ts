/** The documents of REST run without the limits of strangers', so what those would refuse must not be in them. */
import { type ASTVisitor, TypeInfo, validate, visit, visitWithTypeInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import { scopeOfField } from '../../../src/graphql/mutation-scopes.js';
import { schema } from '../../../src/graphql/schema.js';
import { endpoints } from '../../../src/rest/endpoints.js';

describe.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint.operation] as const))(
  '%s',
  (_id, operation) => {
    it('has a document that fits the schema', () => {
      expect(validate(schema, operation.document)).toEqual([]);
    });

    it('selects nothing that needs another scope than the one that is checked before it runs', () => {
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
  },
);
