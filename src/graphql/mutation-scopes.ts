/**
 * Rejects a mutation as a whole, before it changes anything, if the caller may not see everything that it selects.
 * Scopes of fields are otherwise checked when they resolve, which is after the change: callers would take the error for
 * a failed change.
 */
import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLField,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
  type SelectionNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../builder.js';
import { type Scope, scopes } from '../contract.js';
import { MissingScopeError } from '../errors.js';
import { selectionWalk } from './limits/selection-walk.js';

export function mutationScopes(): Plugin<Context> {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const refusal = missingScope(args, args.contextValue.viewer.scopes);
      if (refusal) setResultAndStopExecution({ data: null, errors: [refusal] });
    },
  };
}

/** The error for the first field whose scope was not granted; what `@skip` and `@include` leave out does not count. */
function missingScope(
  { schema, document, operationName, variableValues }: ExecutionArgs,
  granted: ReadonlySet<Scope>,
): GraphQLError | undefined {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.MUTATION || scopes.every((scope) => granted.has(scope))) return;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {});
  // Variables that do not fit are for the executor to refuse, which carries out nothing either.
  if (!coerced) return;
  const refusals: GraphQLError[] = [];
  const path: string[] = [];
  selectionWalk(schema, document, {
    omits: (node) => refusals.length > 0 || isLeftOut(node, coerced),
    field(node, field, inner) {
      if (!field) return 0;
      path.push((node.alias ?? node.name).value);
      const scope = scopeOfField(field);
      if (scope && !granted.has(scope)) refusals.push(errorAt(new MissingScopeError(scope), node, [...path]));
      else inner();
      path.pop();
      return 0;
    },
  })(operation);
  return refusals[0];
}

function isLeftOut(node: SelectionNode, variables: Record<string, unknown>): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variables);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variables);
  return skip?.['if'] === true || include?.['if'] === false;
}

function errorAt({ message, extensions }: MissingScopeError, nodes: SelectionNode, path: string[]): GraphQLError {
  return new GraphQLError(message, { nodes, path, extensions });
}

/** The scope that a field declares; undefined where it needs none of its own, or which one depends on its arguments. */
export function scopeOfField(field: GraphQLField<unknown, unknown>): Scope | undefined {
  const options = field.extensions['pothosOptions'] as { authScopes?: { scope?: Scope } } | undefined;
  return options?.authScopes?.scope;
}
