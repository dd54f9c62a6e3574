/**
 * Server-sent events on the wire. A frame is an `event:` line, directly one `data:` line (specification, Events), then the
 * `id:` line and a blank line. The stream pulls its source only when the socket takes more, so a reader who does not read
 * costs no memory; it sends a comment at once and in silence, and gives up a reader who has taken nothing for a minute.
 */
import { Readable } from 'node:stream';

export interface SseEvent {
  event: 'token' | 'error' | 'done';
  data: unknown;
  /** The position after this event. */
  id: string;
}

export interface SseOptions {
  /** Silence after which a comment is sent. */
  pingMs: number;
  /** How long the reader may take nothing before the stream is cut. */
  stallMs: number;
  /** The last event of a stream whose source failed; nothing is sent when it gives null. */
  onFailure: (error: unknown) => SseEvent | null;
}

export const defaultSseTimes = { pingMs: 15_000, stallMs: 60_000 };

/** One event on the wire. JSON never holds a raw line break, so the data is one line. */
export function formatFrame({ event, data, id }: SseEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
}

const opening = 'retry: 2000\n\n: ping\n\n';
const ping = ': ping\n\n';

/** The byte stream of `events`. Destroying it ends the source at once, also while that waits. */
export function sseStream(events: AsyncIterator<SseEvent>, options: SseOptions): Readable {
  return new SseStream(events, options);
}

class SseStream extends Readable {
  #isPulling = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly events: AsyncIterator<SseEvent>,
    private readonly options: SseOptions,
  ) {
    super({ highWaterMark: 64 * 1024 });
    this.push(opening);
    this.#watch();
  }

  override _read(): void {
    if (this.#isPulling || this.#isOver) return;
    this.#isPulling = true;
    void this.#pull();
  }

  async #pull(): Promise<void> {
    try {
      const result = await this.events.next();
      this.#isPulling = false;
      if (result.done) this.#end();
      else this.#send(formatFrame(result.value));
    } catch (error) {
      const last = this.options.onFailure(error);
      if (last && !this.destroyed) this.push(formatFrame(last));
      this.#end();
    }
  }

  /** A source that yields at once would starve everybody else: `push` asks for more through the event loop. */
  #send(frame: string): void {
    if (this.destroyed) return;
    this.push(frame);
    this.#watch();
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (!this.destroyed) this.push(null);
  }

  /** In silence, a ping; but while the reader leaves bytes lying, only a limit to its patience. */
  #watch(): void {
    clearTimeout(this.#timer);
    const isStalled = this.readableLength > this.readableHighWaterMark;
    const delayMs = isStalled ? this.options.stallMs : this.options.pingMs;
    this.#timer = setTimeout(() => (isStalled ? this.#giveUp() : this.#send(ping)), delayMs);
  }

  #giveUp(): void {
    if (this.readableLength > this.readableHighWaterMark) this.destroy();
    else this.#watch();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    Promise.resolve(this.events.return?.()).then(
      () => callback(error),
      (failure: Error) => callback(error ?? failure),
    );
  }
}
