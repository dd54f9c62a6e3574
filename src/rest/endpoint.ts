/**
 * The definition of an endpoint: data and a function that runs GraphQL operations for the caller. The route, the
 * validation and the OpenAPI document are all generated from it, so they cannot disagree. Endpoints do not depend on
 * Koa.
 */
import type { Readable } from 'node:stream';
import type { Session } from '../graphql/gateway/gateway.js';
import type { Operation } from '../graphql/gateway/operation.js';
import type { RestProblemCode } from '../http/problems/codes.js';
import type { JsonSchema, ValueOf } from './json-schema.js';
import type { HeaderName } from './openapi/headers.js';
import type { SchemaName, schemas } from './schemas.js';
import type { SseOptions } from './sse.js';

/** Path parameters, named as in the specification. */
export type PathValues = Record<'thread-id' | 'message-id', string>;

export interface Input<Query, Body> {
  path: PathValues;
  query: Query;
  body: Body;
  /** The value of `Last-Event-ID`, or of the query parameter that replaces it. */
  lastEventId: string | undefined;
  /** The value of `Idempotency-Key`, unquoted. */
  idempotencyKey: string | undefined;
}

export type Reply =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { status: 200; stream: (options: SseOptions) => Readable };

export interface DocumentedResponse {
  description: string;
  /** The name of a schema in `schemas.ts`; without it the response has no body. */
  schema?: SchemaName;
  contentType?: string;
  /** Headers in addition to those that every response can have. */
  headers?: readonly HeaderName[];
}

export interface DocumentedProblem {
  description: string;
  /** The possible values of `code`. */
  codes: readonly RestProblemCode[];
}

export interface Endpoint<Query = unknown, Body = unknown> {
  method: 'GET' | 'POST';
  /** The path as in the specification, relative to the version prefix. */
  path: `/${string}`;
  operationId: string;
  summary: string;
  description?: string;
  /** The operation to run. Its root field determines the required scope. */
  operation: Operation<unknown, unknown>;
  /** Schemas of the parsed query parameters, by name. */
  query?: Record<string, JsonSchema>;
  /** The name of the schema of the body. */
  body?: SchemaName;
  /** Successful responses by status. */
  responses: Record<number, DocumentedResponse>;
  /** Problems of this endpoint by status; general ones such as 401 and 403 are added. */
  problems?: Record<number, DocumentedProblem>;
  /** Whether it leads to a call of the model, which a budget may forbid. */
  isPaid?: boolean;
  /** Whether the endpoint supports `Idempotency-Key`. */
  idempotent?: boolean;
  /** Whether the endpoint supports `Last-Event-ID`. */
  resumable?: boolean;
  handle(session: Session, input: Input<Query, Body>): Promise<Reply>;
}

type QueryParameters = Record<string, JsonSchema>;

/** Infers the types of an endpoint's query and body from their schemas. */
export function endpoint<
  const Query extends QueryParameters = Record<never, never>,
  const Body extends SchemaName = never,
>(
  definition: Endpoint<ValueOf<{ type: 'object'; properties: Query }>, ValueOf<(typeof schemas)[Body]>> & {
    query?: Query;
    body?: Body;
  },
): Endpoint {
  return definition as Endpoint;
}
