/**
 * Counts the fields that an operation selects, with each fragment counted wherever it is spread. A chain of fragments
 * that doubles at each link has a few hundred tokens and selects more fields than could be visited. The count visits
 * each fragment once and takes linear time.
 */
import {
  type ASTVisitor,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

/** A validation rule that calls `onExcess` for each operation with more than `maximum` fields. */
export function fieldCountRule(maximum: number, onExcess: (context: ValidationContext) => void) {
  return (context: ValidationContext): ASTVisitor => ({
    OperationDefinition({ selectionSet }) {
      if (new FieldCounter(context).inSet(selectionSet) > maximum) onExcess(context);
    },
  });
}

/**
 * A validation rule that forbids `__typename` as the alias of another field. The limit on aliases does not count this
 * alias, because clients add it to the field `__typename`; otherwise it would be a way around the limit.
 */
export function typenameAliasRule(context: ValidationContext): ASTVisitor {
  return {
    Field(node) {
      if (node.alias?.value !== '__typename' || node.name.value === '__typename') return;
      context.reportError(
        new GraphQLError('The alias "__typename" is reserved for the field "__typename".', { nodes: node }),
      );
    },
  };
}

class FieldCounter {
  readonly #context: Pick<ValidationContext, 'getFragment'>;
  readonly #counted = new Map<string, number>();

  constructor(context: Pick<ValidationContext, 'getFragment'>) {
    this.#context = context;
  }

  inSet({ selections }: SelectionSetNode): number {
    return selections.reduce((sum, selection) => sum + this.#inSelection(selection), 0);
  }

  #inSelection(node: SelectionNode): number {
    if (node.kind === Kind.FRAGMENT_SPREAD) return this.#inFragment(this.#context.getFragment(node.name.value));
    const inner = node.selectionSet ? this.inSet(node.selectionSet) : 0;
    return node.kind === Kind.FIELD ? 1 + inner : inner;
  }

  /** A fragment within itself counts as nothing; GraphQL rejects such cycles. */
  #inFragment(fragment: FragmentDefinitionNode | null | undefined): number {
    if (!fragment) return 0;
    const { value: name } = fragment.name;
    const known = this.#counted.get(name);
    if (known !== undefined) return known;
    this.#counted.set(name, 0);
    const count = this.inSet(fragment.selectionSet);
    this.#counted.set(name, count);
    return count;
  }
}
