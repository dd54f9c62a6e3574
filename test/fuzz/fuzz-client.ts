/** Sends generated requests. A stream is read for a moment, and then left, as by a client that goes away. */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { GeneratedRequest } from './generated-request.js';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How long an answer may take to come, and how long a stream is read. */
const answerMs = 60_000;
const streamMs = 150;
const streamBytes = 50_000;
/** Of a larger body the service need not read the rest: its refusal may then be lost with the connection. */
const surelyReadBytes = 60_000;

export class FuzzClient {
  readonly #agent: Agent;
  readonly #address: { host: string; port: number };

  constructor(origin: string, maxSockets: number) {
    const { hostname, port } = new URL(origin);
    this.#agent = new Agent({ keepAlive: true, maxSockets });
    this.#address = { host: hostname, port: Number(port) };
  }

  /** The answer; null where the request is one whose answer may be lost. Rejects where there is none. */
  async send(generated: GeneratedRequest): Promise<Reply | null> {
    if (generated.about === 'raw') return this.#exchange(String(generated.body));
    try {
      return await this.#request(generated);
    } catch (error) {
      const isCut = ['ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '');
      if (isCut && Buffer.byteLength(generated.body ?? '') > surelyReadBytes) return null;
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #request({ method, path, headers, body }: GeneratedRequest): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const all = { ...headers, ...length };
      const options = { ...this.#address, method, path, headers: all, agent: this.#agent, timeout: answerMs };
      const outgoing = request(options, (response) => {
        outgoing.removeAllListeners('error').on('error', () => undefined);
        read(response, method).then(
          (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
          reject,
        );
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${answerMs} ms`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** All that comes back to the bytes until the service closes the connection, or says no more. */
  #exchange(bytes: string): Promise<Reply> {
    return new Promise((resolve) => {
      const socket = connect(this.#address.port, this.#address.host);
      let received = '';
      const done = () => {
        socket.destroy();
        const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
        resolve({ status: Math.max(0, ...statuses), headers: {}, body: received });
      };
      socket.setTimeout(1000, done);
      socket.on('data', (data) => {
        received += data.toString('latin1');
      });
      socket.on('error', done);
      socket.on('close', done);
      socket.write(bytes, 'latin1');
    });
  }
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

function read(response: IncomingMessage, method: string): Promise<string> {
  const decode = decoders[response.headers['content-encoding'] ?? ''];
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = () => {
      clearTimeout(timer);
      const all = Buffer.concat(chunks);
      resolve((decode && method !== 'HEAD' && all.length > 0 ? decode(all) : all).toString());
    };
    const leave = () => {
      done();
      response.destroy();
    };
    const timer = isStream
      ? setTimeout(leave, streamMs)
      : setTimeout(() => reject(new Error(`an answer without an end: ${response.statusCode}`)), answerMs);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (isStream && bytes > streamBytes) leave();
    });
    response.on('end', done);
    response.on('error', (error) => {
      clearTimeout(timer);
      if (isStream) resolve(Buffer.concat(chunks).toString());
      else reject(error);
    });
  });
}
