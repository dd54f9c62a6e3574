/**
 * A walk over the fields of an operation that adds up what a rule says of each. It takes linear time: each fragment is
 * walked once and its sum remembered, since a short chain of fragments can select more fields than could be visited.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

type Type = GraphQLNamedType | null | undefined;

export interface SelectionRule {
  /** What the field adds to the sum. `inner` walks the selections within it, and returns their sum. */
  field(node: FieldNode, field: GraphQLField<unknown, unknown> | undefined, inner: () => number): number;
  /** Whether the walk leaves the selection out. */
  omits?(node: SelectionNode): boolean;
}

/** Returns the sum of an operation. The document may be invalid: the fields of a circle of fragments count once. */
export function selectionWalk(schema: GraphQLSchema, document: DocumentNode, rule: SelectionRule) {
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const sums = new Map<string, number>();
  const inSet = ({ selections }: SelectionSetNode, type: Type): number =>
    selections.reduce((sum, node) => (rule.omits?.(node) ? sum : sum + inSelection(node, type)), 0);
  const inSelection = (node: SelectionNode, type: Type): number => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return inFragment(node.name.value);
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return inSet(node.selectionSet, node.typeCondition ? schema.getType(node.typeCondition.name.value) : type);
    }
    const { name, selectionSet } = node;
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined;
    return rule.field(node, field, () => (selectionSet ? inSet(selectionSet, field && getNamedType(field.type)) : 0));
  };
  const inFragment = (name: string): number => {
    const [fragment, known] = [fragments.get(name), sums.get(name)];
    if (!fragment || known !== undefined) return known ?? 0;
    sums.set(name, 0);
    const sum = inSet(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
    sums.set(name, sum);
    return sum;
  };
  return ({ operation, selectionSet }: OperationDefinitionNode) => inSet(selectionSet, schema.getRootType(operation));
}
