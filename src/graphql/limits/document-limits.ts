/**
 * What an operation of a caller may cost. Tokens, depth, fields, aliases and directives are counted before it runs, list items
 * by its variables when it starts; in all of these a fragment counts as the fields that stand in it, wherever it is spread.
 * The bytes of a request and the values of its variables are limited before all of this, in `request-body.ts` and
 * `variable-limit.ts`; streams and time while it runs, in `live-streams.ts` and `time-limit.ts`.
 */
import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import type { ASTVisitor, GraphQLError, ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { fieldCountRule, typenameAliasRule } from './count-fields.js';
import { countItems, type ItemCountOptions } from './count-items.js';
import { limitExceeded, maximums } from './limit-exceeded.js';

/** The limits on what is parsed and validated. Documents of REST are known when the process starts, and are not. */
export function documentLimits(): Plugin {
  return EnvelopArmorPlugin({
    maxTokens: { n: maximums.tokens, onReject: [refuse('tokens')] },
    // The rules of GraphQL itself bound the depth of introspection, whose usual query is deeper than ours may be.
    maxDepth: { n: maximums.depth, ignoreIntrospection: true, flattenFragments: true, ...report('depth') },
    maxAliases: { n: maximums.aliases, ...report('aliases') },
    maxDirectives: { n: maximums.directives, ...report('directives') },
    costLimit: { enabled: false },
    blockFieldSuggestion: { enabled: false },
  }) as Plugin;
}

/** The limit on the fields that are selected, and on a way around that on aliases. */
export function fieldLimit(): Plugin {
  const rule = fieldCountRule(maximums.fields, (context) => context.reportError(limitExceeded('fields')));
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(rule);
      addValidationRule(typenameAliasRule);
    },
  };
}

/** The limit on names: an alias is repeated for each item of a list, the name of an operation in each of its errors. */
export function nameLength(): Plugin {
  return { onValidate: ({ addValidationRule }) => addValidationRule(refuseLongNames) };
}

/** Thrown and not reported, since other rules would repeat the name. */
function refuseLongNames(): ASTVisitor {
  return {
    Name({ value }) {
      if (value.length > maximums.nameLength) throw limitExceeded('nameLength');
    },
  };
}

/** The limit on what is executed, whatever transport it came by. */
export function itemLimit(): Plugin {
  const check = (options: ItemCountOptions, stop: (result: { errors: GraphQLError[] }) => void) => {
    if (countItems(options) > maximums.items) stop({ errors: [limitExceeded('items')] });
  };
  return {
    onExecute: ({ args, setResultAndStopExecution }) => check(args, setResultAndStopExecution),
    onSubscribe: ({ args, setResultAndStopExecution }) => check(args, setResultAndStopExecution),
  };
}

/** While parsing there is nothing to report to: the parser is stopped. */
function refuse(limit: 'tokens'): () => never {
  return () => {
    throw limitExceeded(limit);
  };
}

/** While validating, the refusal stands among the other errors of the document. */
function report(limit: 'depth' | 'aliases' | 'directives') {
  const onReject = [(context: ValidationContext | null) => context?.reportError(limitExceeded(limit))];
  return { onReject, propagateOnRejection: false };
}
