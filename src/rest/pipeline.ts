/**
 * The pipeline of all REST endpoints: authenticate (401), authorize (403), validate (400, 413, 415), run (404, 409),
 * reply.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware, ParameterizedContext } from 'koa';
import { maximumIdLength } from '../contract.js';
import { LoggedError } from '../errors.js';
import type { Gateway, Session } from '../graphql/gateway/gateway.js';
import { closedSignal } from '../http/closed-signal.js';
import { sendEventStream } from '../http/event-stream.js';
import { internalProblem, toProblem } from '../http/problems/problems.js';
import { type RequestSource, sourceOf } from '../platform/rates/request-source.js';
import type { Endpoint, PathValues, Reply } from './endpoint.js';
import type { VersionPrefix } from './endpoints.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { namePosition } from './position-parameter.js';
import { readJsonBody } from './request-body.js';
import { validatorOf } from './validation.js';

export interface PipelineOptions {
  gateway: Gateway;
  prefix: VersionPrefix;
  sse: { pingMs: number; stallMs: number };
}

/** Creates the Koa handler of an endpoint. The error boundary renders its errors. */
export function createPipeline(endpoint: Endpoint, options: PipelineOptions): Middleware {
  return async (ctx) => {
    const caller = new RestCaller(ctx.req, ctx.res);
    ctx.res.once('close', () => caller.forget());
    const session = await options.gateway.open(caller);
    session.authorize(endpoint.operation);
    const strict = isStrict(ctx.get('prefer'));
    const validator = validatorOf(endpoint);
    const search = new URLSearchParams(ctx.querystring);
    const query = validator.query(endpoint.resumable ? namePosition(search) : search, { strict });
    const body = endpoint.body ? validator.body(await session.during(readJsonBody(ctx.req)), { strict }) : undefined;
    const lastEventId = ctx.get('last-event-id') || undefined;
    const { threadId = '', messageId = '' } = ctx['params'] as Record<string, string>;
    const path: PathValues = { 'thread-id': boundedId(threadId), 'message-id': boundedId(messageId) };
    const idempotencyKey = endpoint.idempotent
      ? readIdempotencyKey(ctx.req.headersDistinct['idempotency-key'])
      : undefined;
    const reply = await endpoint.handle(session, { path, query, body, lastEventId, idempotencyKey });
    await send(ctx, session, reply, options);
  };
}

/** Whether `Prefer` has `handling=strict`. Of a repeated preference the first counts (RFC 7240, 2). */
function isStrict(prefer: string): boolean {
  return /(?:^|,)\s*handling\s*=\s*"?([^\s",;]*)/i.exec(prefer)?.[1]?.toLowerCase() === 'strict';
}

/**
 * A session cookie is never read: pages of other sites could use it. A class, because a getter in an object literal gives
 * each object a shape of its own, which lives, with the whole request, until all memory is searched for garbage.
 */
class RestCaller {
  readonly authorization: string | undefined;
  readonly source: RequestSource;
  #response: ServerResponse | null;
  #signal: AbortSignal | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.authorization = request.headers.authorization || undefined;
    this.source = sourceOf(request);
    this.#response = response;
  }

  /** Made only for those who ask for it: it costs as much as routing. */
  get signal(): AbortSignal {
    this.#signal ??= this.#response ? closedSignal(this.#response) : AbortSignal.abort();
    return this.#signal;
  }

  /**
   * Lets go of the response, which is closed. Pothos keeps contexts in weak maps, from which only a search of all memory
   * removes them: with the request in them, a third of what a request allocates would wait for that.
   */
  forget(): void {
    this.#response = null;
  }
}

/** Truncates overlong ids. No valid id is so long, so a truncated one is not found either. */
function boundedId(id: string): string {
  return id.slice(0, maximumIdLength).toWellFormed();
}

async function send(
  ctx: ParameterizedContext,
  session: Session,
  reply: Reply,
  { prefix, sse }: PipelineOptions,
): Promise<void> {
  ctx.status = reply.status;
  if ('stream' in reply) {
    sendEvents(ctx, reply, sse);
    return;
  }
  ctx.set('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    ctx.set(name, name === 'Location' ? locationOf(ctx.path, prefix, value) : value);
  }
  if (reply.body === undefined) ctx.body = null;
  else {
    const content = JSON.stringify(reply.body);
    await session.hold(Buffer.byteLength(content));
    ctx.set('Content-Type', 'application/json; charset=utf-8');
    ctx.body = content;
  }
  // Koa sets status 204 for an empty body, so the status comes last.
  ctx.status = reply.status;
}

function sendEvents(
  ctx: ParameterizedContext,
  { stream }: Extract<Reply, { stream: unknown }>,
  times: PipelineOptions['sse'],
) {
  const onFailure = (error: unknown) => {
    if (!(error instanceof LoggedError)) ctx.app.emit('error', error, ctx);
    const message = (toProblem(error) ?? internalProblem).detail;
    return { event: 'error' as const, data: { message }, id: '' };
  };
  sendEventStream(ctx, stream({ pingMs: times.pingMs, onFailure }), times.stallMs);
}

function locationOf(path: string, prefix: string, value: string): string {
  return value.startsWith('threads/') ? `${prefix}/${value}` : path;
}
