/**
 * Limits the cost of operations. Tokens, depth, fields, aliases and directives are checked before execution, list items
 * at its start, since they depend on variables; fragments count wherever they are spread. Other files limit the size of
 * requests (`request-body.ts`), variables (`variable-limit.ts`), streams (`live-streams.ts`) and time
 * (`time-limit.ts`).
 */
import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import type { ASTVisitor, GraphQLError, ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { fieldCountRule, typenameAliasRule } from './count-fields.js';
import { countItems, type ItemCountOptions } from './count-items.js';
import { limitExceeded, maximums } from './limit-exceeded.js';

/** Limits on parsing and validation. They do not apply to REST, whose documents are fixed. */
export function documentLimits(): Plugin {
  return EnvelopArmorPlugin({
    maxTokens: { n: maximums.tokens, onReject: [refuse('tokens')] },
    // GraphQL's own rules limit the depth of introspection, whose usual query is deeper than our limit.
    maxDepth: { n: maximums.depth, ignoreIntrospection: true, flattenFragments: true, ...report('depth') },
    maxAliases: { n: maximums.aliases, ...report('aliases') },
    maxDirectives: { n: maximums.directives, ...report('directives') },
    costLimit: { enabled: false },
    blockFieldSuggestion: { enabled: false },
  }) as Plugin;
}

/** Limits the number of fields, and closes the way around the limit on aliases. */
export function fieldLimit(): Plugin {
  const rule = fieldCountRule(maximums.fields, (context) => context.reportError(limitExceeded('fields')));
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(rule);
      addValidationRule(typenameAliasRule);
    },
  };
}

/** Limits the length of names: an alias is repeated for each item of a list, an operation name in each error. */
export function nameLength(): Plugin {
  return { onValidate: ({ addValidationRule }) => addValidationRule(refuseLongNames) };
}

/** Throws instead of reporting, because other rules would repeat the name in their errors. */
function refuseLongNames(): ASTVisitor {
  return {
    Name({ value }) {
      if (value.length > maximums.nameLength) throw limitExceeded('nameLength');
    },
  };
}

/** Limits list items, for every transport. */
export function itemLimit(): Plugin {
  const check = (options: ItemCountOptions, stop: (result: { errors: GraphQLError[] }) => void) => {
    if (countItems(options) > maximums.items) stop({ errors: [limitExceeded('items')] });
  };
  return {
    onExecute: ({ args, setResultAndStopExecution }) => check(args, setResultAndStopExecution),
    onSubscribe: ({ args, setResultAndStopExecution }) => check(args, setResultAndStopExecution),
  };
}

/** Stops the parser, which cannot report errors. */
function refuse(limit: 'tokens'): () => never {
  return () => {
    throw limitExceeded(limit);
  };
}

/** Reports the error among the other validation errors of the document. */
function report(limit: 'depth' | 'aliases' | 'directives') {
  const onReject = [(context: ValidationContext | null) => context?.reportError(limitExceeded(limit))];
  return { onReject, propagateOnRejection: false };
}
