/**
 * Limits what a document may contain, before it is executed. Fragments count wherever they are spread. Other files limit
 * the size of requests (`request-body.ts`), what depends on variables (`operation-limits.ts`), streams
 * (`live-streams.ts`) and time (`operation-share.ts`). None applies to REST, whose documents are fixed.
 */
import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import {
  type ASTVisitor,
  type FieldNode,
  type FragmentSpreadNode,
  GraphQLError,
  GraphQLID,
  getNamedType,
  type InlineFragmentNode,
  type ValidationContext,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { limitExceeded, maximums } from './limit-exceeded.js';
import { selectionWalk } from './selection-walk.js';

export function documentLimits(): Plugin[] {
  const armor = EnvelopArmorPlugin({
    maxTokens: { n: maximums.tokens, onReject: [refuseTokens] },
    // GraphQL's own rules limit the depth of introspection, whose usual query is deeper than our limit.
    maxDepth: { n: maximums.depth, ignoreIntrospection: true, flattenFragments: true, ...report('depth') },
    maxAliases: { n: maximums.aliases, ...report('aliases') },
    maxDirectives: { n: maximums.directives, ...report('directives') },
    costLimit: { enabled: false },
    blockFieldSuggestion: { enabled: false },
  }) as Plugin;
  return [withRule(unconditionalRoot), armor, withRule(documentRule)];
}

function withRule(rule: (context: ValidationContext) => ASTVisitor): Plugin {
  return { onValidate: ({ addValidationRule }) => addValidationRule(rule) };
}

/** Stops the parser, which cannot report errors. */
function refuseTokens(): never {
  throw limitExceeded('tokens');
}

/** Reports the error among the other validation errors of the document. */
function report(limit: 'depth' | 'aliases' | 'directives') {
  const onReject = [(context: ValidationContext | null) => context?.reportError(limitExceeded(limit))];
  return { onReject, propagateOnRejection: false };
}

/**
 * Rejects @skip and @include at the root of a subscription. Without its field, graphql-js 16 would report a defect, and
 * the specification forbids it since September 2025.
 */
function unconditionalRoot(context: ValidationContext): ASTVisitor {
  const selection = (node: FieldNode | FragmentSpreadNode | InlineFragmentNode) => {
    const isConditional = node.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include');
    if (!isConditional || context.getParentType() !== context.getSchema().getSubscriptionType()) return;
    const message = 'The field of a subscription takes no @skip and no @include. Leave the subscription out instead.';
    context.reportError(new GraphQLError(message, { nodes: node, extensions: validationFailed }));
  };
  return { Field: selection, FragmentSpread: selection, InlineFragment: selection };
}

const validationFailed = { code: 'GRAPHQL_VALIDATION_FAILED' };

/** Limits the number of fields, and the length of names and ids, which an alias of a list or an error would repeat. */
export function documentRule(context: ValidationContext): ASTVisitor {
  const countFields = selectionWalk(context.getSchema(), context.getDocument(), {
    field: (_node, _field, inner) => 1 + inner(),
  });
  return {
    OperationDefinition(operation) {
      if (countFields(operation) > maximums.fields) context.reportError(limitExceeded('fields'));
    },
    // The limit on aliases does not count this one, because clients add it to the field `__typename`.
    Field(node) {
      if (node.alias?.value !== '__typename' || node.name.value === '__typename') return;
      context.reportError(new GraphQLError(reservedAlias, { nodes: node }));
    },
    // Throws instead of reporting, because other rules would repeat the name or id in their errors.
    Name({ value }) {
      if (value.length > maximums.nameLength) throw limitExceeded('nameLength');
    },
    StringValue({ value }) {
      const type = context.getInputType();
      if (type && getNamedType(type) === GraphQLID && value.length > maximums.idLength) throw limitExceeded('idLength');
    },
  };
}

const reservedAlias = 'The alias "__typename" is reserved for the field "__typename".';
