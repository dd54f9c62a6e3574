/** A response stream as the bytes that arrive, for tests of what is on the wire. */
import type { RequestOptions, RestClient, Sent } from '../../support/clients/rest-client.js';

export function streamPath({ threadId, messageId }: Sent): string {
  return `/threads/${threadId}/messages/${messageId}/response/stream`;
}

export class RawStream {
  readonly headers: Headers;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** Everything that has arrived so far. */
  text = '';

  constructor({ headers, body, status }: Response) {
    if (status !== 200 || !body) throw new Error(`The stream was answered with ${status}`);
    this.headers = headers;
    this.#reader = body.getReader();
  }

  /** Resolves as soon as `text` matches; throws where the stream ends before. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.text)) {
      if (!(await this.#readMore())) throw new Error(`The stream ended before ${pattern}:\n${this.text}`);
    }
    return this.text;
  }

  /** Everything, up to the end of the stream. */
  async toEnd(): Promise<string> {
    while (await this.#readMore());
    return this.text;
  }

  /** Closes the connection. */
  leave(): Promise<void> {
    return this.#reader.cancel();
  }

  async #readMore(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (value) this.text += this.#decoder.decode(value, { stream: true });
    return !done;
  }
}

export async function openRaw(rest: RestClient, sent: Sent, options: RequestOptions = {}): Promise<RawStream> {
  return new RawStream(await rest.fetch(streamPath(sent), options));
}
