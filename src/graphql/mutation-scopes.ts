/**
 * Rejects a mutation as a whole, before it changes anything, if the caller may not see everything that it selects.
 * Scopes of fields are otherwise checked when they resolve, which is after the change: callers would take the error for
 * a failed change.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isInterfaceType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../builder.js';
import { type Scope, scopes } from '../contract.js';
import { MissingScopeError } from '../errors.js';

export function mutationScopes(): Plugin<Context> {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const granted = args.contextValue.viewer.scopes;
      const operation = getOperationAST(args.document, args.operationName);
      if (operation?.operation !== OperationTypeNode.MUTATION || scopes.every((scope) => granted.has(scope))) return;
      const { coerced } = getVariableValues(
        args.schema,
        operation.variableDefinitions ?? [],
        args.variableValues ?? {},
      );
      // Variables that do not fit are for the executor to refuse, which carries out nothing either.
      if (!coerced) return;
      const { schema, document } = args;
      const search = new ScopeSearch({ schema, document, variables: coerced, granted });
      const refusal = search.inSet(operation.selectionSet, schema.getMutationType(), []);
      if (refusal) setResultAndStopExecution({ data: null, errors: [refusal] });
    },
  };
}

interface ScopeSearchOptions {
  schema: GraphQLSchema;
  /** Valid for the schema. */
  document: DocumentNode;
  variables: Record<string, unknown>;
  granted: ReadonlySet<Scope>;
}

type Path = readonly string[];

/** Looks for the first field whose scope was not granted; what is left out by `@skip` and `@include` does not count. */
class ScopeSearch {
  readonly #options: ScopeSearchOptions;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Each fragment is looked at once, or chains of them would take exponential time. */
  readonly #seen = new Set<string>();

  constructor(options: ScopeSearchOptions) {
    this.#options = options;
    const fragments = options.document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  inSet({ selections }: SelectionSetNode, type: GraphQLNamedType | null | undefined, path: Path): GraphQLError | null {
    for (const selection of selections) {
      const refusal = this.#isLeftOut(selection) ? null : this.#inSelection(selection, type, path);
      if (refusal) return refusal;
    }
    return null;
  }

  #isLeftOut(selection: SelectionNode): boolean {
    const { variables } = this.#options;
    const skip = getDirectiveValues(GraphQLSkipDirective, selection, variables);
    const include = getDirectiveValues(GraphQLIncludeDirective, selection, variables);
    return skip?.['if'] === true || include?.['if'] === false;
  }

  #inSelection(node: SelectionNode, type: GraphQLNamedType | null | undefined, path: Path): GraphQLError | null {
    const { schema } = this.#options;
    if (node.kind === Kind.FIELD) return this.#inField(node, type, path);
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return this.inSet(
        node.selectionSet,
        node.typeCondition ? schema.getType(node.typeCondition.name.value) : type,
        path,
      );
    }
    const fragment = this.#fragments.get(node.name.value);
    if (!fragment || this.#seen.has(node.name.value)) return null;
    this.#seen.add(node.name.value);
    return this.inSet(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value), path);
  }

  #inField(node: FieldNode, type: GraphQLNamedType | null | undefined, parentPath: Path): GraphQLError | null {
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) return null;
    const path = [...parentPath, (node.alias ?? node.name).value];
    const scope = scopeOfField(field);
    if (scope && !this.#options.granted.has(scope)) {
      const { message, extensions } = new MissingScopeError(scope);
      return new GraphQLError(message, { nodes: node, path, extensions });
    }
    return node.selectionSet ? this.inSet(node.selectionSet, getNamedType(field.type), path) : null;
  }
}

/** The scope that a field declares; undefined where it needs none of its own, or which one depends on its arguments. */
export function scopeOfField(field: GraphQLField<unknown, unknown>): Scope | undefined {
  const options = field.extensions['pothosOptions'] as { authScopes?: { scope?: Scope } } | undefined;
  return options?.authScopes?.scope;
}
