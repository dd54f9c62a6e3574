/**
 * What an endpoint is: plain data and two pure functions. The same object makes the route, the validation and the OpenAPI
 * document, so they cannot disagree. Nothing here knows Koa.
 */
import type { Operation, Session } from '../graphql/gateway.js';
import type { RestProblemCode } from '../http/problems/codes.js';
import type { JsonSchema } from './json-schema.js';
import type { HeaderName } from './openapi/headers.js';
import type { SchemaName } from './schemas.js';
import type { SseEvent } from './sse.js';

/** Values of the path, by the names of the specification; always strings. */
export type PathValues = Record<'thread-id' | 'message-id', string>;

export interface Input<Query, Body> {
  path: PathValues;
  query: Query;
  body: Body;
  /** Value of `Last-Event-ID`, or of the parameter that stands for it. */
  lastEventId: string | undefined;
  /** Value of `Idempotency-Key`, without the quotes that it may be in. */
  idempotencyKey: string | undefined;
}

export type Reply =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { status: 200; events: AsyncIterator<SseEvent> };

export interface DocumentedResponse {
  description: string;
  /** Name of a schema of `schemas.ts`; without it the response has no body. */
  schema?: SchemaName;
  contentType?: string;
  /** Headers beside those that every answer can have. */
  headers?: readonly HeaderName[];
}

export interface DocumentedProblem {
  description: string;
  /** What `code` can be. */
  codes: readonly RestProblemCode[];
}

export interface Endpoint<Query = unknown, Body = unknown> {
  method: 'GET' | 'POST';
  /** As the specification writes it, relative to the version prefix. */
  path: `/${string}`;
  operationId: string;
  summary: string;
  description?: string;
  /** Runs it; its root field decides which scope the caller needs. */
  operation: Operation<unknown, unknown>;
  /** Query parameters by name: the schema of the value after it was read from its string. */
  query?: Record<string, JsonSchema>;
  /** Name of the schema of the body. */
  body?: SchemaName;
  /** Successes by status. */
  responses: Record<number, DocumentedResponse>;
  /** Problems by status that are this endpoint's own; 401, 403 and the general ones are added. */
  problems?: Record<number, DocumentedProblem>;
  /** True where `Idempotency-Key` is looked at. */
  idempotent?: boolean;
  /** True where `Last-Event-ID` is looked at. */
  resumable?: boolean;
  handle(session: Session, input: Input<Query, Body>): Promise<Reply>;
}

/** Gives the type of an endpoint to its parts. */
export function endpoint<Query, Body = undefined>(definition: Endpoint<Query, Body>): Endpoint {
  return definition as Endpoint;
}
