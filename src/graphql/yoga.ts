/**
 * GraphQL over HTTP and server-sent events. The list of plugins below is the life of an operation, in order: limits before
 * execution, execution, and masking of errors. REST, whose documents are fixed, does without (`gateway/gateway.ts`).
 */
import { NoSchemaIntrospectionCustomRule } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from '../builder.js';
import { LineSafeEncoder } from '../http/line-breaks.js';
import type { ServiceMetrics } from '../platform/metrics/service-metrics.js';
import type { Caller } from '../platform/server/caller.js';
import type { Services } from '../services.js';
import { createContext } from './context.js';
import { RecentDocuments } from './documents/recent-documents.js';
import { trustedDocuments, withoutPersistedQueries } from './documents/trusted-documents.js';
import { invalidJson } from './errors/invalid-json.js';
import type { MaskError } from './errors/mask-error.js';
import { answerBudget } from './limits/answer-budget.js';
import { documentLimits } from './limits/document-limits.js';
import { liveStreams } from './limits/live-streams.js';
import { operationLimits } from './limits/operation-limits.js';
import { operationShare } from './limits/operation-share.js';
import type { StreamQuota } from './limits/stream-quota.js';
import { mutationScopes } from './mutation-scopes.js';
import { operationMetrics } from './operation-metrics.js';
import { schema } from './schema.js';
import type { GraphqlSettings } from './settings.js';

/** What a transport passes in: the caller, or a context that it has already created. */
export type ServerContext = { caller: Caller; opened?: undefined } | { opened: Context; caller?: undefined };

export type Yoga = ReturnType<typeof createGraphQL>;

/** The server of `/graphql` and the pipeline of the stream endpoint. */
export function createGraphQL(
  services: Services,
  maskError: MaskError,
  settings: GraphqlSettings,
  streams: StreamQuota,
) {
  return createYoga<ServerContext, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    context: ({ opened, caller }) => opened ?? createContext(services, caller),
    plugins: pluginsOf(settings, streams, services.metrics),
    maskedErrors: { maskError: (error) => maskError(error) },
    // Yoga encodes only JSON, alone or in the frames of a stream.
    fetchAPI: { TextEncoder: LineSafeEncoder },
    // Errors are logged where they are masked.
    logging: false,
    parserAndValidationCache: { documentCache: new RecentDocuments(), errorCache: new RecentDocuments() },
    // Bodies are limited before they reach Yoga.
    maxRequestBodySize: false,
    cors: false,
    multipart: false,
    batching: false,
    graphiql: false,
    landingPage: false,
  });
}

function pluginsOf(
  { trustedDocuments: trusted, introspection, executionMs }: GraphqlSettings,
  streams: StreamQuota,
  metrics: ServiceMetrics,
): (Plugin | Plugin<Context>)[] {
  return [
    operationMetrics(metrics),
    trusted ? trustedDocuments(trusted) : withoutPersistedQueries(),
    ...(introspection ? [] : [withoutIntrospection]),
    invalidJson(),
    ...documentLimits(),
    operationLimits(),
    mutationScopes(),
    operationShare(executionMs),
    // After the permit is released: a response waits for room without one.
    answerBudget(),
    liveStreams(streams),
  ];
}

const withoutIntrospection: Plugin = {
  onValidate: ({ addValidationRule }) => addValidationRule(NoSchemaIntrospectionCustomRule),
};
