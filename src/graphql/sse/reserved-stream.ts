/**
 * A stream that a client reserved (`PUT /graphql/stream`) to get the results of many operations over one connection. It
 * expires unless it is opened soon, and then lives as long as its connection. An operation is asked for its next result
 * only after the previous one was written, so a client that does not read costs one result per operation.
 */
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GraphQLError } from 'graphql';
import { escapeLineBreaks } from '../../http/line-breaks.js';
import type { Credentials } from '../../platform/server/caller.js';
import { transportError } from '../errors/http-errors.js';
import { limitExceeded, maximums } from '../limits/limit-exceeded.js';

/** Starts an operation. Resolves to its results as Yoga sends them: whole lines of server-sent events. */
type Start = (signal: AbortSignal) => Promise<Readable>;

interface StreamOwner {
  userId: string;
  /** Credentials of the request that reserved the stream, checked again when it is opened by its token alone. */
  credentials: Credentials;
}

export function unknownStream(): GraphQLError {
  return transportError(404, 'NOT_FOUND', 'You have no such stream. Reserve one with PUT.');
}

const ping = ':\n\n';
const pingMs = 12_000;

export class ReservedStream {
  readonly owner: StreamOwner;
  readonly #output = new PassThrough({ highWaterMark: 1 });
  readonly #operations = new Map<string, AbortController>();
  readonly #end = new AbortController();
  #isOpen = false;
  /** Its expiry, then its pings. */
  #timer: NodeJS.Timeout;

  constructor(owner: StreamOwner, expiryMs: number) {
    this.owner = owner;
    this.#timer = setTimeout(() => this.end(), expiryMs).unref();
    // Each operation listens for when it can write.
    this.#output.setMaxListeners(0);
    this.#output.once('error', () => this.end());
  }

  /** Aborts when the stream ends. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** What its connection receives. Throws a `GraphQLError` if it has one already, or has ended. */
  open(): Readable {
    if (this.ended.aborted) throw unknownStream();
    if (this.#isOpen) throw transportError(409, 'CONFLICT', 'The stream is open already.');
    this.#isOpen = true;
    clearTimeout(this.#timer);
    const sendPing = () => {
      if (!this.#output.writableNeedDrain) this.#output.write(ping);
    };
    this.#timer = setInterval(sendPing, pingMs).unref();
    // Some browsers wait for the first byte.
    this.#output.write(ping);
    return this.#output;
  }

  /** Runs an operation, whose results follow on the stream. Throws a `GraphQLError` if it cannot be run here. */
  run(id: string, start: Start): void {
    if (this.ended.aborted) throw unknownStream();
    if (this.#operations.size >= maximums.operations) throw limitExceeded('operations');
    if (this.#operations.has(id)) throw transportError(409, 'CONFLICT', 'The stream has an operation with this id.');
    const operation = new AbortController();
    this.#operations.set(id, operation);
    void this.#carry(id, start, operation);
  }

  /** Ends an operation, if it runs. */
  complete(id: string): void {
    this.#operations.get(id)?.abort();
  }

  /** Ends the stream and its operations. */
  end(): void {
    if (this.ended.aborted) return;
    clearTimeout(this.#timer);
    for (const operation of this.#operations.values()) operation.abort();
    this.#output.end();
    this.#end.abort();
  }

  async #carry(id: string, start: Start, operation: AbortController): Promise<void> {
    const { signal } = operation;
    try {
      await pipeline(await start(signal), framesUnder(id, signal), this.#output, { end: false, signal });
    } catch (error) {
      // Breaks the connection, whose client resumes.
      if (!signal.aborted) this.#output.destroy(error as Error);
    } finally {
      // Releases what its results hold, which the stream may outlive.
      operation.abort();
      this.#operations.delete(id);
    }
  }
}

/** Gives each frame of an operation the id by which its client tells it from those of others. */
function framesUnder(id: string, signal: AbortSignal) {
  const name = `"id":${escapeLineBreaks(JSON.stringify(id))}`;
  return async function* (results: AsyncIterable<Buffer>): AsyncGenerator<string, void, void> {
    for await (const lines of results) {
      for (const [, result] of lines.toString().matchAll(/^data: ?(.*)$/gm)) {
        if (signal.aborted) return;
        yield result ? `event: next\ndata: {${name},"payload":${result}}\n\n` : `event: complete\ndata: {${name}}\n\n`;
      }
    }
  };
}
