/**
 * `/graphql/stream`: GraphQL over server-sent events by graphql-sse's protocol, with one connection per operation or one
 * for many. Authentication comes first here too, and only the user who reserved a stream can use it.
 */
import { Readable } from 'node:stream';
import { GraphQLError } from 'graphql';
import type { Response as StreamAnswer } from 'graphql-sse';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Context } from '../../builder.js';
import { closedSignal } from '../../http/closed-signal.js';
import { sendEventStream } from '../../http/event-stream.js';
import type { LimitsHit } from '../../platform/metrics/limits-hit.js';
import { sourceOf } from '../../platform/rates/request-source.js';
import { authenticateRequest, credentialsOf } from '../authenticate-request.js';
import { answerUnservedMethod, sendError, transportError } from '../errors/http-errors.js';
import type { MaskError } from '../errors/mask-error.js';
import { limitExceeded, maximums } from '../limits/limit-exceeded.js';
import type { GraphqlSettings } from '../settings.js';
import type { Yoga } from '../yoga.js';
import { Backlog } from './backlog.js';
import type { StreamOperation } from './operation.js';
import { readParams } from './params.js';
import { createStreamProtocol } from './protocol.js';
import { type Reservation, Reservations } from './reservations.js';

export interface GraphqlStreamOptions {
  yoga: Yoga;
  maskError: MaskError;
  settings: Pick<GraphqlSettings, 'streams' | 'reservationMs' | 'stallMs' | 'streamTokenPrefix'>;
  limitsHit: LimitsHit;
}

export function graphqlOverSse(options: GraphqlStreamOptions): Middleware {
  const endpoint = new StreamEndpoint(options);
  return async (ctx, next) => {
    if (ctx.path !== '/graphql/stream') return next();
    sourceOf(ctx.req).route = '/graphql/stream';
    try {
      await endpoint.serve(ctx);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      options.limitsHit.see(error);
      sendError(ctx, error);
    }
  };
}

/** A caller and their reserved stream. */
interface Entrance {
  reservation: Reservation;
  context: Context;
  /** Aborted when the connection of this request closes. */
  gone: AbortSignal;
}

class StreamEndpoint {
  readonly #options: GraphqlStreamOptions;
  readonly #protocol = createStreamProtocol();
  readonly #reservations: Reservations;

  constructor(options: GraphqlStreamOptions) {
    this.#options = options;
    this.#reservations = new Reservations(options.settings, (token) => void this.#forget(token));
  }

  async serve(ctx: KoaContext): Promise<void> {
    const token = ctx.get('x-graphql-event-stream-token') || String(ctx.query['token'] ?? '');
    const isStream = ctx.get('accept').toLowerCase().includes('text/event-stream');
    if (!methods.includes(ctx.method)) return answerUnservedMethod(ctx, [...methods, 'OPTIONS']);
    if (ctx.method === 'PUT') await this.#reserve(ctx);
    else if (ctx.method === 'DELETE') await this.#complete(ctx, await this.#enter(ctx, token));
    else if (isStream && token === '') await this.#runAlone(ctx);
    else if (isStream) await this.#connect(ctx, await this.#enter(ctx, token));
    else await this.#run(ctx, await this.#enter(ctx, token));
  }

  async #reserve(ctx: KoaContext): Promise<void> {
    const { viewer, openAccess } = await authenticateRequest(ctx, this.#options.yoga, closedSignal(ctx.res));
    const { userId, organizationId } = viewer;
    const reservation = this.#reservations.add({ userId, organizationId, credentials: credentialsOf(ctx) });
    const leave = openAccess.enter({ viewer }, () => reservation.end());
    reservation.signal.addEventListener('abort', leave, { once: true });
    send(ctx, await this.#protocol({ method: 'PUT', token: reservation.token }));
  }

  /** The stream of another user is treated like an unknown one. */
  async #enter(ctx: KoaContext, token: string): Promise<Entrance> {
    const reservation = this.#reservations.find(token);
    const gone = closedSignal(ctx.res);
    const context = await this.#open(ctx, reservation, gone);
    if (reservation?.userId !== context.viewer.userId) throw errorOf(404);
    return { reservation, context: { ...context, signal: reservation.signal }, gone };
  }

  /** A browser's `EventSource` cannot send headers: the token of its reservation authenticates it, for one stream. */
  #open(ctx: KoaContext, reservation: Reservation | undefined, signal: AbortSignal): Promise<Context> {
    const { yoga } = this.#options;
    if (!reservation || ctx.method !== 'GET' || ctx.get('authorization')) return authenticateRequest(ctx, yoga, signal);
    const caller = { ...reservation.credentials, signal, source: sourceOf(ctx.req) };
    return Promise.resolve(yoga.getEnveloped({ caller }).contextFactory());
  }

  async #connect(ctx: KoaContext, { reservation, gone }: Entrance): Promise<void> {
    const answer = await this.#protocol({ method: 'GET', token: reservation.token });
    this.#stream(ctx, answer, reservation.backlog);
    reservation.connected(() => void endMessages(answer));
    gone.addEventListener('abort', () => reservation.end());
    if (gone.aborted) reservation.end();
  }

  async #run(ctx: KoaContext, { reservation, context }: Entrance): Promise<void> {
    const { token, backlog } = reservation;
    const operation = await this.#readOperation(ctx, context, backlog);
    if (backlog.operations >= maximums.operations) throw limitExceeded('operations');
    const operationId = String(operation.params.extensions?.['operationId'] ?? '');
    send(ctx, await this.#protocol({ method: 'POST', token, operationId, operation }));
  }

  async #runAlone(ctx: KoaContext): Promise<void> {
    const context = await authenticateRequest(ctx, this.#options.yoga, closedSignal(ctx.res));
    const operation = await this.#readOperation(ctx, context, new Backlog());
    this.#stream(ctx, await this.#protocol({ method: 'POST', token: null, operation }), operation.backlog);
  }

  async #readOperation(ctx: KoaContext, context: Context, backlog: Backlog): Promise<StreamOperation> {
    const params = await context.openAccess.during(context.viewer, readParams(ctx));
    return { ...this.#options, method: ctx.method, params, context, backlog };
  }

  async #complete(ctx: KoaContext, { reservation }: Entrance): Promise<void> {
    const operationId = String(ctx.query['operationId'] ?? '');
    send(ctx, await this.#protocol({ method: 'DELETE', token: reservation.token, operationId }));
  }

  /** Ends a stream that was never connected: the handler only forgets streams whose connection ends. */
  async #forget(token: string): Promise<void> {
    await endMessages(await this.#protocol({ method: 'GET', token }));
  }

  #stream(ctx: KoaContext, [messages, { status }]: StreamAnswer, backlog: Backlog): void {
    if (!messages || typeof messages === 'string') throw errorOf(status);
    ctx.status = status;
    const body = Readable.from(backlog.drain(messages), { objectMode: false });
    sendEventStream(ctx, body, this.#options.settings.stallMs);
  }
}

async function endMessages([messages]: StreamAnswer): Promise<void> {
  if (messages && typeof messages !== 'string') await messages.return();
}

const methods = ['GET', 'POST', 'PUT', 'DELETE'];

function send(ctx: KoaContext, [body, { status }]: StreamAnswer): void {
  if (status >= 400) throw errorOf(status);
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'text/plain';
  ctx.body = typeof body === 'string' ? body : null;
  // Koa turns an empty body into 204.
  ctx.status = status;
}

/** Messages for requests that the handler refuses; each tells the caller what to do. */
function errorOf(status: number): GraphQLError {
  if (status === 404) return transportError(404, 'NOT_FOUND', 'You have no such stream. Reserve one with PUT.');
  if (status === 409) {
    return transportError(409, 'CONFLICT', 'The stream is open already, or has an operation with this id.');
  }
  return transportError(status, 'BAD_REQUEST', 'Name the operation with "operationId".');
}
