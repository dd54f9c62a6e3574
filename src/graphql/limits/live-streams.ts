/**
 * Counts the streams that are open, in the one place through which those of every transport go, REST's too. A stream beyond
 * the limits is refused before its first event; one that is old ends cleanly, so that no token, no deployment and no
 * forgotten tab is held for ever: its client resumes where it was.
 */
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import type { StreamSettings } from '../settings.js';
import { limitExceeded } from './limit-exceeded.js';

export function liveStreams(settings: StreamSettings): Plugin<Context> {
  const quota = new StreamQuota(settings);
  return {
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      const { viewer, signal } = args.contextValue;
      setSubscribeFn(async (given: ExecutionArgs): Promise<ExecutionResult | LiveStream> => {
        const release = quota.take(viewer.userId);
        if (release instanceof GraphQLError) return { errors: [release] };
        const result: unknown = await Promise.resolve(subscribeFn(given)).catch((error: unknown) => {
          release();
          throw error;
        });
        if (isStream(result)) return new LiveStream({ source: result, signal, release, maxLifeMs: settings.maxLifeMs });
        release();
        return result as ExecutionResult;
      });
    },
  };
}

function isStream(result: unknown): result is AsyncIterable<ExecutionResult> {
  return isAsyncIterable(result);
}

/** How many streams each user has open in this process. */
export class StreamQuota {
  readonly #ofUsers = new Map<string, number>();
  #total = 0;

  constructor(private readonly maximums: Pick<StreamSettings, 'perUser' | 'perProcess'>) {}

  /** Counts one more; what it gives back counts it off, once. Where there is no room it gives the refusal instead. */
  take(userId: string): (() => void) | GraphQLError {
    const { perUser, perProcess } = this.maximums;
    if ((this.#ofUsers.get(userId) ?? 0) >= perUser) return limitExceeded('streams', perUser);
    if (this.#total >= perProcess) return limitExceeded('processStreams', perProcess);
    this.#add(userId, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(userId, -1);
      isTaken = false;
    };
  }

  #add(userId: string, difference: number): void {
    this.#total += difference;
    const count = (this.#ofUsers.get(userId) ?? 0) + difference;
    if (count === 0) this.#ofUsers.delete(userId);
    else this.#ofUsers.set(userId, count);
  }
}

interface LiveStreamOptions {
  source: AsyncIterable<ExecutionResult>;
  signal: AbortSignal;
  release: () => void;
  maxLifeMs: number;
}

/** The results of `source`, until one of them, its reader, the signal or the clock ends it. */
class LiveStream implements AsyncIterableIterator<ExecutionResult> {
  readonly #results: AsyncIterator<ExecutionResult>;
  readonly #options: LiveStreamOptions;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    this.#results = options.source[Symbol.asyncIterator]();
    this.#timer = setTimeout(() => void this.return(), options.maxLifeMs).unref();
    options.signal.addEventListener('abort', this.#end, { once: true });
    if (options.signal.aborted) this.#end();
  }

  async next(): Promise<IteratorResult<ExecutionResult>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      const result = await this.#results.next();
      if (result.done) this.#end();
      return result;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** The source settles what waits for its next result. */
  async return(): Promise<IteratorResult<ExecutionResult>> {
    this.#end();
    await this.#results.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #end = (): void => {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#end);
    this.#options.release();
  };
}
