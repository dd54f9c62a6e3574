/**
 * `/graphql/stream`: GraphQL over server-sent events by graphql-sse's protocol, with one connection per operation or one
 * for many. Operations run like those of `/graphql`. Authentication comes first here too, and only the user who reserved a
 * stream can use it; to others it does not exist.
 */
import { randomUUID } from 'node:crypto';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Context } from '../../builder.js';
import { sendEventStream } from '../../http/event-stream.js';
import { onAbort } from '../../platform/async/cancellable-stream.js';
import type { LimitsHit } from '../../platform/metrics/limits-hit.js';
import { sourceOf } from '../../platform/rates/request-source.js';
import { authenticateRequest, credentialsOf } from '../authenticate-request.js';
import { transportError } from '../errors/http-errors.js';
import { graphqlPath, type OperationRequest, readOperation, runOperation, streamOf } from '../http.js';
import { StreamQuota } from '../limits/stream-quota.js';
import type { GraphqlSettings } from '../settings.js';
import type { Yoga } from '../yoga.js';
import { ReservedStream, unknownStream } from './reserved-stream.js';

type EndpointSettings = Pick<GraphqlSettings, 'streams' | 'reservationMs' | 'stallMs' | 'streamTokenPrefix'>;

export function graphqlOverSse(yoga: Yoga, options: EndpointSettings & { limitsHit: LimitsHit }): Middleware {
  const endpoint = new StreamEndpoint(yoga, options);
  const { limitsHit } = options;
  const path = { path: '/graphql/stream', methods: ['GET', 'POST', 'PUT', 'DELETE'], limitsHit };
  return graphqlPath(path, (ctx, gone) => endpoint.serve(ctx, gone));
}

class StreamEndpoint {
  readonly #yoga: Yoga;
  readonly #settings: EndpointSettings;
  readonly #quota: StreamQuota;
  /** By token, which is known to the owner alone. */
  readonly #streams = new Map<string, ReservedStream>();

  constructor(yoga: Yoga, settings: EndpointSettings) {
    this.#yoga = yoga;
    this.#settings = settings;
    this.#quota = new StreamQuota(settings.streams);
  }

  async serve(ctx: KoaContext, gone: AbortSignal): Promise<void> {
    const token = ctx.get('x-graphql-event-stream-token') || String(ctx.query['token'] ?? '');
    const isStream = ctx.method !== 'DELETE' && ctx.get('accept').toLowerCase().includes('text/event-stream');
    if (ctx.method === 'PUT') return this.#reserve(ctx, gone);
    if (isStream && token === '') return this.#runAlone(ctx, gone);
    const stream = this.#streams.get(token);
    const context = await this.#enter(ctx, stream, gone);
    if (stream?.owner.userId !== context.viewer.userId) throw unknownStream();
    if (isStream) {
      sendEventStream(ctx, stream.open(), this.#settings.stallMs);
      onAbort(gone)(() => stream.end());
    } else if (ctx.method === 'DELETE') {
      stream.complete(named(ctx.query['operationId']));
      send(ctx, 200);
    } else await this.#run(ctx, stream, context);
  }

  /** The stream counts towards the limits from now to its end. Throws a `GraphQLError` beyond them. */
  async #reserve(ctx: KoaContext, gone: AbortSignal): Promise<void> {
    const { viewer, openAccess } = await authenticateRequest(ctx, this.#yoga, gone);
    const place = this.#quota.take(viewer);
    if ('refusal' in place) throw place.refusal;
    const owner = { userId: viewer.userId, credentials: credentialsOf(ctx) };
    const stream = new ReservedStream(owner, this.#settings.reservationMs);
    const token = `${this.#settings.streamTokenPrefix}${randomUUID()}`;
    this.#streams.set(token, stream);
    const leave = openAccess.enter({ viewer }, () => stream.end());
    onAbort(place.evicted)(() => stream.end());
    onAbort(stream.ended)(() => {
      this.#streams.delete(token);
      place.release();
      leave();
    });
    send(ctx, 201, token);
  }

  /** A browser's `EventSource` cannot send headers: the token of its reservation authenticates it, for one stream. */
  async #enter(ctx: KoaContext, stream: ReservedStream | undefined, signal: AbortSignal): Promise<Context> {
    const isByToken = stream && ctx.method === 'GET' && !ctx.get('authorization');
    if (!isByToken) return authenticateRequest(ctx, this.#yoga, signal);
    const caller = { ...stream.owner.credentials, signal, source: sourceOf(ctx.req) };
    return this.#yoga.getEnveloped({ caller }).contextFactory();
  }

  async #run(ctx: KoaContext, stream: ReservedStream, context: Context): Promise<void> {
    const operation = await this.#readOperation(ctx, context);
    stream.run(named(operation.id), async (signal) =>
      streamOf(await runOperation(this.#yoga, operation, { ...context, signal })),
    );
    send(ctx, 202);
  }

  /** The stream has begun, so every error of the operation is a result. */
  async #runAlone(ctx: KoaContext, gone: AbortSignal): Promise<void> {
    const context = await authenticateRequest(ctx, this.#yoga, gone);
    const response = await runOperation(this.#yoga, await this.#readOperation(ctx, context), context);
    ctx.status = 200;
    sendEventStream(ctx, streamOf(response), this.#settings.stallMs);
  }

  /** Throws a `GraphQLError` for what is no operation at all. */
  async #readOperation(ctx: KoaContext, context: Context): Promise<OperationRequest & { id: unknown }> {
    const operation = await readOperation(ctx, context, 'text/event-stream');
    const request = new this.#yoga.fetchAPI.Request(operation.url, operation.init);
    const server = { opened: context, waitUntil: () => undefined };
    const { requestParserResult: params } = await this.#yoga.parseRequest(request, server);
    return { ...operation, id: Array.isArray(params) ? undefined : params?.extensions?.['operationId'] };
  }
}

function send(ctx: KoaContext, status: number, text = ''): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'text/plain';
  ctx.body = text;
  ctx.status = status;
}

/** Throws a `GraphQLError` if there is no name. */
function named(operationId: unknown): string {
  const id = String(operationId ?? '');
  if (id === '') throw transportError(400, 'BAD_REQUEST', 'Name the operation with "operationId".');
  return id;
}
