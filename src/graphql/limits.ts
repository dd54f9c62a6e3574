/**
 * What an operation of a caller may cost. Tokens, depth, aliases and directives are counted before it runs, list items by its
 * variables when it starts. A refusal has the code `LIMIT_EXCEEDED` and names the limit, so that its caller knows what to
 * make smaller. The bytes of a request are limited before all of this, in `http.ts`.
 */
import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import { GraphQLError, type ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { countItems, type ItemCountOptions } from './count-items.js';

const maximums = { bytes: 256 * 1024, tokens: 2000, depth: 12, aliases: 30, directives: 50, items: 3000 } as const;

export type Limit = keyof typeof maximums;

/** Bytes that the body of a request may have. */
export const maxRequestBytes = maximums.bytes;

const sentences: Record<Limit, string> = {
  bytes: 'The request is larger than 256 KiB. Send long texts as variables, and fewer of them.',
  tokens: `The operation has more than ${maximums.tokens} tokens. Split it.`,
  depth: `The operation is nested deeper than ${maximums.depth} levels; a fragment counts as one. Ask for less at once.`,
  aliases: `The operation has more than ${maximums.aliases} aliases. Split it.`,
  directives: `The operation has more than ${maximums.directives} directives. Split it.`,
  items: `The operation asks for more than ${maximums.items} list items, counting the lists inside of lists. Ask for smaller pages with "first".`,
};

/** The refusal of a request that goes beyond a limit. `spec` leaves 200 to clients that ask for `application/json`. */
export function limitExceeded(limit: Limit): GraphQLError {
  const http = limit === 'bytes' ? { status: 413, headers: { connection: 'close' } } : { status: 400, spec: true };
  return new GraphQLError(sentences[limit], {
    extensions: { code: 'LIMIT_EXCEEDED', limit, maximum: maximums[limit], http },
  });
}

/** The limits on what is parsed and validated. Documents of REST are known when the process starts, and are not. */
export function documentLimits(): Plugin {
  return EnvelopArmorPlugin({
    maxTokens: { n: maximums.tokens, onReject: [refuse('tokens')] },
    // The rules of GraphQL itself bound the depth of introspection, whose usual query is deeper than ours may be.
    maxDepth: { n: maximums.depth, ignoreIntrospection: true, ...report('depth') },
    maxAliases: { n: maximums.aliases, ...report('aliases') },
    maxDirectives: { n: maximums.directives, ...report('directives') },
    costLimit: { enabled: false },
    blockFieldSuggestion: { enabled: false },
  }) as Plugin;
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
function refuse(limit: Limit): () => never {
  return () => {
    throw limitExceeded(limit);
  };
}

/** While validating, the refusal stands among the other errors of the document. */
function report(limit: Limit) {
  const onReject = [(context: ValidationContext | null) => context?.reportError(limitExceeded(limit))];
  return { onReject, propagateOnRejection: false };
}
