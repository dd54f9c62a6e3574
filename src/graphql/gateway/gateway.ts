/**
 * The gateway for REST: operations run in process and without Yoga, with the same authentication, scopes, shares, timeouts,
 * quotas of streams and masking as at `/graphql`, and none of the limits that guard against strangers' documents.
 */
import { createSourceEventStream, type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { MissingScopeError } from '../../errors.js';
import type { Release } from '../../platform/fairness/fair-semaphore.js';
import type { Caller } from '../../platform/server/caller.js';
import type { Services } from '../../services.js';
import { admit } from '../context.js';
import type { MaskError } from '../errors/mask-error.js';
import { withinLimit } from '../limits/operation-share.js';
import type { StreamPlace, StreamQuota } from '../limits/stream-quota.js';
import { Turn } from '../limits/turn.js';
import { OperationMeter } from '../operation-metrics.js';
import { schema } from '../schema.js';
import type { GraphqlSettings } from '../settings.js';
import type { Operation } from './operation.js';
import { type RestContext, restContexts } from './rest-context.js';

export interface GatewayOptions {
  services: Services;
  maskError: MaskError;
  settings: Pick<GraphqlSettings, 'executionMs'>;
  streams: StreamQuota;
}

type AnyOperation = Operation<unknown, unknown>;

export type Gateway = ReturnType<typeof createGateway>;

export function createGateway(options: GatewayOptions) {
  const { services, maskError } = options;
  const meter = new OperationMeter(services.metrics);
  const createContext = restContexts(services);
  return {
    /** Authenticates the caller. Rejects with an `UnauthenticatedError`, or as `Session.run` does. */
    async open(caller: Caller): Promise<Session> {
      const viewer = await admit(services, caller).catch((error: unknown) => {
        throw maskError(error);
      });
      return new Session(createContext(viewer, caller), meter, options);
    },
  };
}

/** Runs operations for an authenticated caller. */
export class Session {
  readonly #context: RestContext;
  readonly #meter: OperationMeter;
  readonly #options: GatewayOptions;

  constructor(context: RestContext, meter: OperationMeter, options: GatewayOptions) {
    this.#context = context;
    this.#meter = meter;
    this.#options = options;
  }

  /** Throws a `MissingScopeError` if the caller's token lacks the scope of the operation. */
  authorize({ scope }: Pick<Operation<unknown, unknown>, 'scope'>): void {
    if (!this.#context.viewer.scopes.has(scope)) throw new MissingScopeError(scope);
  }

  /** Resolves to the result of the work; rejects with an `UnauthenticatedError` if the caller's access ends first. */
  during<T>(work: Promise<T>): Promise<T> {
    return this.#context.openAccess.during(this.#context.viewer, work);
  }

  /** Counts a response of so many bytes until it has been sent. Throws `LIMIT_EXCEEDED` if there is no room in time. */
  async hold(bytes: number): Promise<void> {
    try {
      await this.#context.answer.hold(bytes);
    } catch (error) {
      this.#options.services.metrics.limitsHit.see(error);
      throw error;
    }
  }

  /** Resolves to the data of the operation. Rejects with its first error, masked as for GraphQL. */
  run<Data, Variables>(operation: Operation<Data, Variables>, variables: Variables): Promise<Data> {
    const execute = () => operation.execute(undefined, this.#context, variables as object);
    return this.#measured(operation, async () => {
      const turn = new Turn(this.#context, await this.#permit());
      this.#context.answer.aside = (wait) => turn.lend(wait);
      const work = Promise.resolve(execute());
      return dataOf<Data>(await withinLimit(this.#limitOf(operation), work, { onEnd: turn.end }));
    });
  }

  /**
   * The events of a subscription. Rejects like `run` before the first event; ends when the caller's signal aborts. Whoever
   * reads no further must call `return`, or the stream counts until then.
   */
  subscribe<Data, Variables>(
    operation: Operation<Data, Variables>,
    variables: Variables,
  ): Promise<AsyncIterator<Data, unknown>> {
    return this.#measured(operation, async () => {
      const place = this.#options.streams.take(this.#context.viewer);
      if ('refusal' in place) throw place.refusal;
      try {
        return this.#show(operation, variables as object, { events: await this.#begin(operation, variables), place });
      } catch (error) {
        place.release();
        throw error;
      }
    });
  }

  /** The events as their source has them. A stream counts as an operation until it is open. */
  async #begin({ document }: AnyOperation, variables: unknown): Promise<AsyncIterable<unknown>> {
    const release = await this.#permit();
    try {
      const variableValues = variables as Record<string, unknown>;
      const source = await createSourceEventStream({ schema, document, contextValue: this.#context, variableValues });
      if (!(Symbol.asyncIterator in source)) throw failureOf(source);
      return source;
    } finally {
      release();
    }
  }

  /** The data of each event, for which the operation is executed. */
  #show<Data>(
    { execute }: Operation<Data, unknown>,
    variables: object,
    { events, place }: { events: AsyncIterable<unknown>; place: StreamPlace },
  ): AsyncIterator<Data, unknown> {
    const source = events[Symbol.asyncIterator]();
    const end = endingOf(source, place, this.#context.signal);
    return {
      next: async () => {
        try {
          const event = await source.next();
          if (event.done) return event;
          return { done: false, value: dataOf<Data>(await execute(event.value, this.#context, variables)) };
        } catch (error) {
          throw this.#masked(error);
        }
      },
      return: async (value) => {
        await end();
        return { done: true, value };
      },
    };
  }

  async #measured<T>(operation: AnyOperation, work: () => Promise<T>): Promise<T> {
    const ended = this.#meter.start(operation, this.#context.source);
    try {
      const result = await work();
      ended({});
      return result;
    } catch (error) {
      ended({ errors: [error] });
      this.#context.answer.release();
      throw this.#masked(error);
    }
  }

  #masked(error: unknown): Error {
    return this.#options.maskError(error, this.#context.source);
  }

  #permit(): Release | Promise<Release> {
    const { turns, viewer } = this.#context;
    return turns.tryAcquire(viewer) ?? turns.acquire(viewer, { signal: this.#context.signal });
  }

  #limitOf({ kind }: AnyOperation): number {
    return this.#options.settings.executionMs[kind === OperationTypeNode.MUTATION ? 'mutation' : 'query'];
  }
}

/** Returns what ends `source`, which must end at once even while it waits, as the endings of its place do. */
function endingOf(source: AsyncIterator<unknown>, place: StreamPlace, left: AbortSignal): () => unknown {
  const cancels: (() => void)[] = [];
  const end = () => {
    for (const cancel of cancels.splice(0)) cancel();
    place.release();
    return source.return?.();
  };
  for (const ending of place.endings(left)) cancels.push(ending(end));
  return end;
}

function dataOf<Data>(result: ExecutionResult): Data {
  if (result.errors?.length || !result.data) throw failureOf(result);
  return result.data as Data;
}

function failureOf(result: ExecutionResult): GraphQLError {
  return result.errors?.[0] ?? new GraphQLError('The operation returned neither data nor an error.');
}
