/**
 * The schema builder: plugins, scalars and the type of the context. It defines no type of the domain; each noun does that
 * in its own `schema.ts`.
 */
import SchemaBuilder from '@pothos/core';
import ErrorsPlugin from '@pothos/plugin-errors';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { GraphQLError, Kind, type ValueNode } from 'graphql';
import type PrismaTypes from '../prisma/generated/pothos-types.js';
import { getDatamodel } from '../prisma/generated/pothos-types.js';
import { parseDateTime } from './date-time.js';
import { type DomainError, MissingScopeError } from './errors.js';
import type { Turn } from './graphql/limits/operation-turn.js';
import type { Viewer } from './modules/identity/authenticate.js';
import type { Scope } from './modules/identity/scopes.js';
import type { Services } from './services.js';

/** What one answer may hold, and what may be loaded for it, in bytes. Everything beyond is refused with `LIMIT_EXCEEDED`. */
export interface AnswerLimits {
  /** Bytes of contents that may be loaded at this moment. */
  readonly loadable: number;
  /** Counts bytes of the answer. */
  take(bytes: number): void;
  /** Counts contents that are loaded, whatever the answer shows of them. */
  load(bytes: number): void;
  /** Waits for room to load so many bytes. */
  makeRoomFor(bytes: number): Promise<void>;
}

/** What every resolver gets: who asks, and the services of the process. `signal` aborts when the caller is gone. */
export interface Context extends Services {
  viewer: Viewer;
  signal: AbortSignal;
  /** Counts a message and sends it; throws a `RateLimitedError` where there are too many. What is not sent does not count. */
  countMessage<T>(send: () => Promise<T>): Promise<T>;
  /** What the answer may still hold: whoever loads much counts it here first. */
  answer: AnswerLimits;
  /** The operation's turn among those of its user: whoever waits without a connection lends it. */
  turn: Turn;
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
    hasNextPageFieldOptions: { description: 'Whether more items follow.' },
    hasPreviousPageFieldOptions: { description: 'Whether the page starts after the beginning of the list.' },
    startCursorFieldOptions: { description: 'Cursor of the first item; null if the page is empty.' },
    endCursorFieldOptions: { description: 'Cursor of the last item, for `after`; null if the page is empty.' },
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

builder.scalarType('DateTime', {
  description:
    'A point in time in UTC, in ISO 8601 with milliseconds: `2026-11-20T17:29:00.000Z`. Input may be any ISO 8601 date-time; one without an offset is taken as UTC.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => momentOf(value),
  parseLiteral: (node) => momentOf(node.kind === Kind.STRING ? node.value : null, node),
});

/** Throws an error that is the caller's, and no defect. */
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
