/** Requests whose answers are read as the bytes that came: `fetch` would take content codings off. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface BytesReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export class RawBytes {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #origin: URL;

  constructor(origin: string) {
    this.#origin = new URL(origin);
  }

  send(options: {
    method?: string;
    path: string;
    headers?: Record<string, string>;
    body?: string;
  }): Promise<BytesReply> {
    const { method = 'GET', path, headers = {}, body } = options;
    const { hostname: host, port } = this.#origin;
    return new Promise((resolve, reject) => {
      const outgoing = request({ host, port, method, path, headers, agent: this.#agent }, (response) => {
        buffer(response).then((bytes) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes });
        }, reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
