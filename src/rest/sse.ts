/**
 * Formats and streams server-sent events. A frame is an `event:` line, immediately followed by one `data:` line
 * (specification, Events), then an `id:` line and a blank line. The stream reads its source only when the socket
 * accepts more, so a slow reader costs no memory. It sends a comment immediately, so that proxies forward the headers,
 * and further comments during silence.
 */
import { Readable } from 'node:stream';
import { escapeLineBreaks } from '../http/line-breaks.js';

interface TokenEvent {
  event: 'token';
  data: { token: string };
  /** The position after this event; '' keeps the position of the previous event. */
  id: string;
}

export type SseEvent = TokenEvent | { event: 'error' | 'done'; data: unknown; id: string };

export interface SseOptions {
  /** Milliseconds of silence before a comment is sent. */
  pingMs: number;
  /** Returns the last event of a stream whose source failed; null sends none. */
  onFailure: (error: unknown) => SseEvent | null;
}

/** `stallMs`: how long a client may read nothing before it is disconnected. Pings must be more frequent. */
export const defaultSseTimes = { pingMs: 15_000, stallMs: 60_000 };

/** Formats an event. The data is a single line for every client, whatever it takes for a line break. */
export function formatFrame({ event, data, id }: SseEvent): string {
  const frame = `event: ${event}\ndata: ${escapeLineBreaks(JSON.stringify(data))}\n`;
  return id === '' ? `${frame}\n` : `${frame}id: ${id}\n\n`;
}

/** The last frame of a token: the viewers of an answer, woken one after another, are sent the same. */
let last = { token: '', id: '', frame: Buffer.alloc(0) };

function frameOf(event: SseEvent): Buffer {
  const token = event.event === 'token' ? event.data.token : null;
  if (token !== null && token === last.token && event.id === last.id) return last.frame;
  const frame = Buffer.from(formatFrame(event));
  if (token !== null) last = { token, id: event.id, frame };
  return frame;
}

const ping = ': ping\n\n';
/** The beginning of every stream. */
export const opening = `retry: 2000\n\n${ping}`;

/**
 * The byte stream of a source, whose values `present` turns into events, or into null where it omits one. It ends after an
 * `error` or `done` event. Destroying it ends the source immediately, even while that waits.
 */
export class SseStream<T> extends Readable {
  readonly #source: AsyncIterator<T, unknown>;
  readonly #present: (value: T) => SseEvent | null;
  readonly #options: SseOptions;
  readonly #pings: NodeJS.Timeout;
  #isPulling = false;

  constructor(source: AsyncIterator<T, unknown>, present: (value: T) => SseEvent | null, options: SseOptions) {
    super({ highWaterMark: 64 * 1024 });
    this.#source = source;
    this.#present = present;
    this.#options = options;
    this.push(opening);
    this.#pings = setInterval(() => this.push(ping), options.pingMs);
  }

  /**
   * May be called while the source is being read, because pings push too. Reads through the event loop; otherwise a
   * stored response and a fast client would block it until the end of the text.
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
    if (event) this.push(frameOf(event));
    if (isLast) this.push(null);
  }

  async #next(): Promise<{ event: SseEvent | null; isLast: boolean }> {
    try {
      for (;;) {
        const result = await this.#source.next();
        if (result.done) return { event: null, isLast: true };
        const event = this.#present(result.value);
        if (event) return { event, isLast: event.event !== 'token' };
      }
    } catch (error) {
      return { event: this.#options.onFailure(error), isLast: true };
    }
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearInterval(this.#pings);
    Promise.resolve(this.#source.return?.()).then(
      () => callback(error),
      (failure: Error) => callback(error ?? failure),
    );
  }
}
