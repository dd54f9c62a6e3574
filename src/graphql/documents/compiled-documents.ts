/**
 * Executes what REST reads, whose documents are few and fixed, as functions that graphql-jit makes of them
 * once. What comes before and after is the same as for every other operation, because the other plugins wrap the function
 * that this one sets, so it comes first. Other documents are interpreted: graphql-jit knows no defaults of required input
 * fields, and its paths are not those by which Pothos finds what Prisma loaded, so relations would be loaded again.
 */
import { BREAK, type DocumentNode, type ExecutionArgs, type GraphQLSchema, getOperationAST, visit } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import { fixSelections } from '../../modules/fixed-selection.js';

const compiled = new WeakMap<DocumentNode, CompiledQuery>();

/** Compiles the document for `compiledDocuments`. Throws if it does not fit the schema. */
export function compileDocument(schema: GraphQLSchema, document: DocumentNode): void {
  const query = compileQuery(schema, document);
  if (!isCompiledQuery(query)) throw new Error(JSON.stringify(query.errors));
  compiled.set(document, query);
  const operation = getOperationAST(document);
  if (operation && !hasDirectives(document)) fixSelections(operation);
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

export function compiledDocuments(): Plugin {
  return {
    onExecute({ args, setExecuteFn }) {
      const query = compiled.get(args.document);
      if (!query) return;
      setExecuteFn(({ rootValue, contextValue, variableValues }: ExecutionArgs) =>
        query.query(rootValue, contextValue, variableValues),
      );
    },
  };
}
