/**
 * Server-sent events on the wire. A frame is an `event:` line, directly one `data:` line (specification, Events), then the
 * `id:` line and a blank line. The stream pulls its source only when the socket takes more, so a reader who does not read
 * costs no memory; it sends a comment at once, so that headers pass every proxy, and further ones in silence.
 */
import { Readable } from 'node:stream';
import { escapeLineBreaks } from '../http/line-breaks.js';

export interface SseEvent {
  event: 'token' | 'error' | 'done';
  data: unknown;
  /** The position after this event; '' leaves the reader at the position of the event before. */
  id: string;
}

export interface SseOptions {
  /** Silence after which a comment is sent. */
  pingMs: number;
  /** The last event of a stream whose source failed; nothing is sent when it gives null. */
  onFailure: (error: unknown) => SseEvent | null;
}

/** `stallMs`: how long a reader may take nothing before it is cut off. Pings must come more often. */
export const defaultSseTimes = { pingMs: 15_000, stallMs: 60_000 };

/** One event on the wire. The data is one line for every reader, whatever it takes for a line break. */
export function formatFrame({ event, data, id }: SseEvent): string {
  const frame = `event: ${event}\ndata: ${escapeLineBreaks(JSON.stringify(data))}\n`;
  return id === '' ? `${frame}\n` : `${frame}id: ${id}\n\n`;
}

const ping = ': ping\n\n';
/** What every stream begins with. */
export const opening = `retry: 2000\n\n${ping}`;

/** The byte stream of `events`. Destroying it ends the source at once, also while that waits. */
export function sseStream(events: AsyncIterator<SseEvent>, options: SseOptions): Readable {
  return new SseStream(events, options);
}

class SseStream extends Readable {
  readonly #events: AsyncIterator<SseEvent>;
  readonly #options: SseOptions;
  readonly #pings: NodeJS.Timeout;
  #isPulling = false;

  constructor(events: AsyncIterator<SseEvent>, options: SseOptions) {
    super({ highWaterMark: 64 * 1024 });
    this.#events = events;
    this.#options = options;
    this.push(opening);
    this.#pings = setInterval(() => this.push(ping), options.pingMs);
  }

  /**
   * Called again while the source is still being asked, because a ping is a push as well. It asks through the event loop:
   * a stored answer and a fast reader would else let nobody run until the end of the text.
   */
  override _read(): void {
    if (this.#isPulling) return;
    this.#isPulling = true;
    setImmediate(() => void this.#pull());
  }

  async #pull(): Promise<void> {
    if (this.destroyed) return;
    const { event, isLast } = await this.#next();
    this.#isPulling = false;
    if (this.destroyed) return;
    if (isLast) clearInterval(this.#pings);
    else this.#pings.refresh();
    if (event) this.push(formatFrame(event));
    if (isLast) this.push(null);
  }

  async #next(): Promise<{ event: SseEvent | null; isLast: boolean }> {
    try {
      const result = await this.#events.next();
      return result.done ? { event: null, isLast: true } : { event: result.value, isLast: false };
    } catch (error) {
      return { event: this.#options.onFailure(error), isLast: true };
    }
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearInterval(this.#pings);
    Promise.resolve(this.#events.return?.()).then(
      () => callback(error),
      (failure: Error) => callback(error ?? failure),
    );
  }
}
