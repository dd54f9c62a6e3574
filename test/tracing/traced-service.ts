/** A service that sends its traces to a collector of the test, a real HTTP server that receives OTLP and keeps what it was sent. */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { serviceTest } from '../support/fixtures/service.js';
import { startTestService } from '../support/service.js';

export async function startCollector(): Promise<Collector> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new Collector(server);
}

class Collector {
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

/** Reads the spans of an `ExportTraceServiceRequest` of OTLP, from the wire format of protocol buffers. */

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer' | 'unspecified';
  attributes: Record<string, unknown>;
  isError: boolean;
  /** Of the process that sent it. */
  resource: Record<string, unknown>;
}

/** The fields of a message by their numbers, in the order in which they came. */
type Fields = Map<number, (bigint | Buffer)[]>;

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

function decodeSpans(body: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((ofResource) => {
    const resource = attributesOf(messages(ofResource, 1)[0] ?? new Map(), 1);
    const scopes = messages(ofResource, 2);
    return scopes.flatMap((scope) => messages(scope, 2).map((span) => toSpan(span, resource)));
  });
}

function toSpan(span: Fields, resource: Record<string, unknown>): ReceivedSpan {
  const status = messages(span, 15)[0] ?? new Map();
  return {
    traceId: bytes(span, 1).toString('hex'),
    spanId: bytes(span, 2).toString('hex'),
    parentId: bytes(span, 4).toString('hex'),
    name: bytes(span, 5).toString(),
    kind: kinds[Number(number(span, 6))] ?? 'unspecified',
    attributes: attributesOf(span, 9),
    isError: number(status, 3) === 2n,
    resource,
  };
}

function attributesOf(message: Fields, field: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(message, field).map((pair) => [bytes(pair, 1).toString(), anyValueOf(messages(pair, 2)[0] ?? new Map())]),
  );
}

/** A value of an attribute: a text, a truth value, a whole number or another number. */
function anyValueOf(value: Fields): unknown {
  if (value.has(1)) return bytes(value, 1).toString();
  if (value.has(2)) return number(value, 2) === 1n;
  if (value.has(3)) return Number(BigInt.asIntN(64, number(value, 3)));
  return value.has(4) ? bytes(value, 4).readDoubleLE() : undefined;
}

function messages(message: Fields, field: number): Fields[] {
  return (message.get(field) ?? []).map((value) => fieldsOf(Buffer.isBuffer(value) ? value : Buffer.alloc(0)));
}

function bytes(message: Fields, field: number): Buffer {
  const value = message.get(field)?.at(-1);
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function number(message: Fields, field: number): bigint {
  const value = message.get(field)?.at(-1);
  return typeof value === 'bigint' ? value : 0n;
}

function fieldsOf(encoded: Buffer): Fields {
  const fields: Fields = new Map();
  const reader = new WireReader(encoded);
  while (!reader.isAtEnd) {
    const tag = Number(reader.varint());
    const values = fields.get(tag >> 3) ?? [];
    values.push(reader.value(tag & 7));
    fields.set(tag >> 3, values);
  }
  return fields;
}

class WireReader {
  readonly #encoded: Buffer;
  #position = 0;

  constructor(encoded: Buffer) {
    this.#encoded = encoded;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#encoded.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#take(1)[0] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  value(wireType: number): bigint | Buffer {
    if (wireType === 0) return this.varint();
    if (wireType === 1) return this.#take(8);
    if (wireType === 2) return this.#take(Number(this.varint()));
    if (wireType === 5) return this.#take(4);
    throw new Error(`The wire type ${wireType} is not one of protocol buffers.`);
  }

  #take(length: number): Buffer {
    const end = this.#position + length;
    if (end > this.#encoded.length) throw new Error('The message ends within a field.');
    const taken = this.#encoded.subarray(this.#position, end);
    this.#position = end;
    return taken;
  }
}

export const soon = { OTEL_BSP_SCHEDULE_DELAY: '20' };

export const it = serviceTest()
  .extend('collector', { scope: 'file' }, async ({ folder: _folder }, { onCleanup }) => {
    const collector = await startCollector();
    onCleanup(() => collector.close());
    return collector;
  })
  .extend('service', { scope: 'file' }, async ({ collector }, { onCleanup }) => {
    const service = await startTestService({
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...soon, ...resource },
    });
    onCleanup(() => service.stop());
    return service;
  });

const resource = {
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,place=a%2Cb',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=collector%20secret',
};

/** The header of a caller that is traced, and its parts. */
export function tracedCaller({ isSampled = true } = {}) {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}` } };
}
