/**
 * The schema builder: plugins, scalars and the context type. Domain types are defined in the `schema.ts` of each
 * module.
 */
import SchemaBuilder from '@pothos/core';
import ErrorsPlugin from '@pothos/plugin-errors';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { GraphQLError, GraphQLID, Kind, type ValueNode } from 'graphql';
import type PrismaTypes from '../prisma/generated/pothos-types.js';
import { getDatamodel } from '../prisma/generated/pothos-types.js';
import type { Scope } from './contract.js';
import { type DomainError, MissingScopeError } from './errors.js';
import type { Viewer } from './modules/identity/authenticate.js';
import { parseDateTime } from './platform/date-time.js';
import type { RequestSource } from './platform/rates/request-source.js';
import type { Services } from './services.js';

/**
 * Limits on the bytes of one response and of what is loaded for it. Beyond them the operation fails with
 * `LIMIT_EXCEEDED`.
 */
export interface AnswerLimits {
  /** Bytes that may be loaded now. */
  readonly loadable: number;
  /** Counts loaded bytes, whether or not the response contains them. */
  load(bytes: number): void;
  /** Waits until `bytes` may be loaded. */
  makeRoomFor(bytes: number): Promise<void>;
  /** Waits for room without the turn of the operation, while there is one. */
  aside?: ((wait: () => Promise<void>) => Promise<void>) | undefined;
}

/**
 * The context of every resolver: the viewer and the services of the process. `signal` aborts when the caller
 * disconnects.
 */
export interface Context extends Services {
  viewer: Viewer;
  source: RequestSource;
  signal: AbortSignal;
  /**
   * Counts a message and sends it. Throws a `RateLimitedError` beyond the limit, and a `BudgetExceededError` if a budget is
   * used up. A message that is not sent does not count.
   */
  countMessage<T>(send: () => Promise<T>): Promise<T>;
  /** Limits of this response. Resolvers that load much count it here first. */
  answer: AnswerLimits;
}

export interface SchemaTypes {
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  AuthScopes: { scope: Scope };
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
  };
  Connection: object;
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ScopeAuthPlugin, ErrorsPlugin, RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: (context) => ({
      scope: (name) => {
        if (!context.viewer.scopes.has(name)) throw new MissingScopeError(name);
        return true;
      },
    }),
  },
  errors: {
    directResult: true,
    defaultTypes: [],
    defaultUnionOptions: {
      name: ({ fieldName }) => `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}Result`,
      description: 'The result of the mutation: its success or one of its expected errors.',
    },
  },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    pageInfoTypeOptions: { description: 'The position of a page in its list.' },
    hasNextPageFieldOptions: {
      description:
        'Whether there is a next page. When paging forward, only items before `before` count. If a search ended this page early, the next one may be empty.',
    },
    hasPreviousPageFieldOptions: {
      description: 'Whether items precede the page. When paging backward, only items after `after` count.',
    },
    startCursorFieldOptions: { description: 'Cursor of the first item; null if the page is empty.' },
    endCursorFieldOptions: {
      description:
        'Cursor of the end of the page, for `after`: of its last item or, if a search ended it early, of the last one that the search examined. Null if the page is empty and no further one follows.',
    },
    pageInfoFieldOptions: { description: 'Position of this page in the list.' },
    edgesFieldOptions: { nullable: false, description: 'The items of the page, each with its cursor.' },
    nodeFieldOptions: { nullable: false, description: 'The item.' },
    cursorFieldOptions: { description: 'Cursor of the item, for `after`. It is opaque and never expires.' },
  },
  prisma: {
    client: (context) => context.database,
    dmmf: getDatamodel(),
    exposeDescriptions: true,
    onUnusedQuery: 'error',
  },
});

builder.queryType({ description: 'All queries.' });
builder.mutationType({
  description: 'All mutations. Each result is a union of the success and the expected errors.',
});
builder.subscriptionType({ description: 'All subscriptions.' });

/**
 * PostgreSQL cannot compare U+0000. No id has it, so one that has it is read as another that names nothing either. Pothos
 * always takes the ID of graphql.
 */
const { parseValue, parseLiteral } = GraphQLID;
const comparable = (id: string) => id.replaceAll('\0', '\ufffd');
GraphQLID.parseValue = (value) => comparable(parseValue(value));
GraphQLID.parseLiteral = (node, variables) => comparable(parseLiteral(node, variables));

builder.scalarType('DateTime', {
  description:
    'A point in time in UTC, in ISO 8601 with milliseconds: `2026-11-20T17:29:00.000Z`. Input may be any ISO 8601 date-time; one without an offset is taken as UTC.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => momentOf(value),
  parseLiteral: (node) => momentOf(node.kind === Kind.STRING ? node.value : null, node),
});

/** Parses a DateTime. Throws a GraphQLError, so that invalid input is not reported as a defect. */
function momentOf(value: unknown, node: ValueNode | null = null): Date {
  const moment = typeof value === 'string' ? parseDateTime(value) : null;
  if (!moment)
    throw new GraphQLError('A DateTime must be in ISO 8601, for example 2026-11-20T17:29:00.000Z.', { nodes: node });
  return moment;
}

export const ErrorInterface = builder.interfaceRef<DomainError>('Error').implement({
  description: 'An expected error of a mutation. Programs decide by the type or by `code`, never by the message.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Stable code of the error, for programs.' }),
    message: t.exposeString('message', { description: 'What happened and what to do next, for people.' }),
  }),
});
