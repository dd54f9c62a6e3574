/**
 * Rejects @skip and @include at the root of a subscription. Without its field, graphql-js 16 would report a defect, and
 * the specification forbids it since September 2025.
 */
import {
  type ASTVisitor,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionNode,
  type ValidationContext,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';

export function subscriptionRoot(): Plugin {
  return { onValidate: ({ addValidationRule }) => addValidationRule(unconditionalRoot) };
}

function unconditionalRoot(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.SUBSCRIPTION) return;
      const conditional = conditionalOf(context, selectionSet.selections, new Set());
      if (conditional) context.reportError(conditionalRootError(conditional));
    },
  };
}

/** The first conditional selection at the root, fragments included; each fragment is visited once. */
function conditionalOf(
  context: ValidationContext,
  selections: readonly SelectionNode[],
  seen: Set<string>,
): SelectionNode | undefined {
  for (const selection of selections) {
    if (selection.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include')) return selection;
    const found = conditionalOf(context, innerOf(context, selection, seen), seen);
    if (found) return found;
  }
  return undefined;
}

function innerOf(context: ValidationContext, node: SelectionNode, seen: Set<string>): readonly SelectionNode[] {
  if (node.kind === Kind.FIELD) return [];
  if (node.kind === Kind.INLINE_FRAGMENT) return node.selectionSet.selections;
  const name = node.name.value;
  if (seen.has(name)) return [];
  seen.add(name);
  return context.getFragment(name)?.selectionSet.selections ?? [];
}

function conditionalRootError(node: SelectionNode): GraphQLError {
  const message = 'The field of a subscription takes no @skip and no @include. Leave the subscription out instead.';
  return new GraphQLError(message, { nodes: node, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
}
