/**
 * How many fields an operation selects, each fragment counted wherever it is spread. A chain of fragments that doubles at
 * each link is a few hundred tokens long and stands for more fields than anybody can visit, and what comes after validation
 * visits them: so they are counted here, each fragment once, in time that is linear in the length of the document.
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

/** A validation rule: calls `onExcess` for each operation that selects more than `maximum` fields. */
export function fieldCountRule(maximum: number, onExcess: (context: ValidationContext) => void) {
  return (context: ValidationContext): ASTVisitor => ({
    OperationDefinition({ selectionSet }) {
      if (new FieldCounter(context).inSet(selectionSet) > maximum) onExcess(context);
    },
  });
}

/**
 * A validation rule: `__typename` may not be the alias of another field. Aliases with that name are not counted, because
 * clients add them to the field `__typename`; for any other field they would be a way around the limit on aliases.
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
  readonly #counted = new Map<string, number>();

  constructor(private readonly context: Pick<ValidationContext, 'getFragment'>) {}

  inSet({ selections }: SelectionSetNode): number {
    return selections.reduce((sum, selection) => sum + this.#inSelection(selection), 0);
  }

  #inSelection(node: SelectionNode): number {
    if (node.kind === Kind.FRAGMENT_SPREAD) return this.#inFragment(this.context.getFragment(node.name.value));
    const inner = node.selectionSet ? this.inSet(node.selectionSet) : 0;
    return node.kind === Kind.FIELD ? 1 + inner : inner;
  }

  /** A fragment that is being counted counts as nothing: it is spread within itself, which GraphQL refuses. */
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
