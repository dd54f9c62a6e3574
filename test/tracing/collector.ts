/** A collector of traces: a real HTTP server that receives OTLP, and keeps what it was sent. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { decodeSpans, type ReceivedSpan } from './decode-spans.js';

export async function startCollector(): Promise<Collector> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new Collector(server);
}

export class Collector {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` must be. */
  readonly url: string;
  readonly spans: ReceivedSpan[] = [];
  /** The heads of all requests. */
  readonly requests: { path: string | undefined; headers: IncomingHttpHeaders }[] = [];
  /** All bodies as they came, as Latin-1. */
  text = '';
  /** What it answers; `hang`: nothing. */
  answer: number | 'hang' = 200;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', async (request, response) => {
      await this.#receive(request);
      if (this.answer !== 'hang') response.writeHead(this.answer, { 'content-type': 'application/x-protobuf' }).end();
    });
  }

  /** Waits for a span of the trace with this name. */
  span(traceId: string, name: string): Promise<ReceivedSpan> {
    return vi.waitFor(
      () => {
        const found = this.spans.find((span) => span.traceId === traceId && span.name === name);
        const names = this.spans.filter((span) => span.traceId === traceId).map((span) => span.name);
        return found ?? expect.fail(`no span "${name}" in ${traceId}, only: ${names.join(', ')}`);
      },
      { timeout: 30_000 },
    );
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #receive(request: IncomingMessage): Promise<void> {
    const body = await buffer(request);
    this.requests.push({ path: request.url, headers: request.headers });
    this.text += body.toString('latin1');
    if (this.answer === 200) this.spans.push(...decodeSpans(body));
  }
}
