/**
 * The operations of REST. Their documents are our own, few and fixed, so each is compiled to a function by graphql-jit when
 * its endpoint is imported. Those of strangers are interpreted, behind the limits of `yoga.ts`.
 */
import {
  BREAK,
  type DocumentNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Scope } from '../../contract.js';
import { fixSelections } from '../../modules/fixed-selection.js';
import type { DataOf, Fitting, Found, InputOf } from '../document-types/document-types.js';
import { scopeOfField } from '../mutation-scopes.js';
import { schema } from '../schema.js';

/** A document of this schema, with the types of its variables and data. */
export interface Operation<Data, Variables> {
  readonly document: DocumentNode;
  readonly kind: OperationTypeNode;
  readonly name: string | null;
  /** The scope that its root field requires, read from the schema: REST has no list of scopes. */
  readonly scope: Scope;
  /**
   * Executes it; of a subscription, for one event. graphql-jit knows no defaults of required input fields, so the variables
   * must name them.
   */
  readonly execute: CompiledQuery['query'];
  readonly types?: { data: Data; variables: Variables };
}

/** The data of an operation. */
export type OperationData<Source> = Source extends Operation<infer Data, infer _Variables> ? Data : never;

/** Compiles a document. Throws at import if it does not fit the schema, or its root field declares no scope. */
export function operation<const Text extends string>(
  source: Text & Fitting<DataOf<Text>>,
): Operation<Found<DataOf<Text>>, InputOf<Text>> {
  const document = parse(source);
  const definition = getOperationAST(document);
  if (!definition) throw new Error('The document must have one operation.');
  const { operation: kind, name } = definition;
  return {
    document,
    kind,
    name: name?.value ?? null,
    scope: scopeOf(definition),
    execute: compile(document, definition),
  };
}

function scopeOf({ operation: kind, selectionSet }: OperationDefinitionNode): Scope {
  const node = selectionSet.selections.find((selection) => selection.kind === Kind.FIELD);
  const field = node && schema.getRootType(kind)?.getFields()[node.name.value];
  const scope = field && scopeOfField(field);
  if (!scope) throw new Error('The root field of the operation declares no scope.');
  return scope;
}

function compile(document: DocumentNode, definition: OperationDefinitionNode): CompiledQuery['query'] {
  const compiled = compileQuery(schema, document);
  if (!isCompiledQuery(compiled)) throw new Error(JSON.stringify(compiled.errors));
  if (!hasDirectives(document)) fixSelections(definition);
  return compiled.query;
}

/** Directives may make a selection depend on variables. */
function hasDirectives(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive() {
      found = true;
      return BREAK;
    },
  });
  return found;
}
