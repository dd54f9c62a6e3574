/**
 * GraphQL over HTTP. The life of an operation is the list below, in order: the context authenticates, the limits refuse
 * what would cost too much before it runs, resolvers run, and masking hides what is nobody's business. REST runs its
 * documents through the same list, without HTTP (`gateway.ts`).
 */
import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from '../builder.js';
import type { Services } from '../services.js';
import { type Caller, createContext } from './context.js';
import { schema } from './schema.js';

/** What a transport passes in; `caller` is absent where Yoga itself received the request. */
export interface ServerContext {
  caller?: Caller;
}

export type Yoga = ReturnType<typeof createGraphQL>;

/** The server of `/graphql`, and the pipeline of every other transport. */
export function createGraphQL(services: Services, maskError: (error: unknown) => Error) {
  const logger = services.logger.child({ part: 'graphql' });
  return createYoga<ServerContext, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    context: ({ caller, request }) =>
      createContext(
        services,
        caller ?? { authorization: request.headers.get('authorization') ?? undefined, signal: request.signal },
      ),
    plugins: [limits()],
    maskedErrors: { maskError },
    logging: logger,
    cors: false,
    multipart: false,
    batching: false,
    graphiql: false,
    landingPage: false,
  });
}

function limits(): Plugin {
  return EnvelopArmorPlugin({
    maxDepth: { n: 12, ignoreIntrospection: false },
    maxAliases: { n: 30 },
    maxDirectives: { n: 50 },
    maxTokens: { n: 2000 },
    costLimit: { maxCost: 20_000 },
    blockFieldSuggestion: { enabled: false },
  }) as Plugin;
}
