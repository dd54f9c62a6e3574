/**
 * Asks the same question over a few kept connections, each as soon as it has its answer. The requests are written as bytes
 * and of the answers only the length is read, so that this process costs little beside the one that it measures.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Question {
  url: string;
  method?: 'GET' | 'POST';
  token?: string;
  body?: object;
}

export interface LoadResult {
  perSecond: number;
  latenciesMs: number[];
}

/** Asks for `durationMs` over `connections` connections. Throws where an answer is not a success. */
export async function load(
  question: Question,
  { connections, durationMs }: { connections: number; durationMs: number },
): Promise<LoadResult> {
  const askers = await Promise.all(Array.from({ length: connections }, () => Asker.open(question)));
  const startedMs = performance.now();
  await Promise.all(askers.map((asker) => asker.askUntil(startedMs + durationMs)));
  const tookMs = performance.now() - startedMs;
  const latenciesMs = askers.flatMap((asker) => asker.latenciesMs);
  return { perSecond: (latenciesMs.length / tookMs) * 1000, latenciesMs };
}

class Asker {
  readonly latenciesMs: number[] = [];
  readonly #socket: Socket;
  readonly #request: Buffer;
  #received: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket, request: Buffer) {
    this.#socket = socket;
    this.#request = request;
  }

  static async open(question: Question): Promise<Asker> {
    const { hostname, port } = new URL(question.url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new Asker(socket, bytesOf(question));
  }

  askUntil(endMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let askedMs = performance.now();
      this.#socket.on('error', reject).on('close', () => reject(new Error('The connection was closed.')));
      this.#socket.on('data', (chunk: Buffer) => {
        this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
        if (!isWhole(this.#received)) return;
        const now = performance.now();
        this.latenciesMs.push(now - askedMs);
        const refusal = refusalIn(this.#received);
        if (refusal) reject(refusal);
        if (refusal || now >= endMs) {
          this.#socket.removeAllListeners('close').destroy();
          resolve();
          return;
        }
        this.#received = Buffer.alloc(0);
        askedMs = now;
        this.#socket.write(this.#request);
      });
      this.#socket.write(this.#request);
    });
  }
}

function bytesOf({ url, method = 'GET', token, body }: Question): Buffer {
  const { host, pathname, search } = new URL(url);
  const content = body ? JSON.stringify(body) : '';
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    'Accept: application/json',
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
}

function isWhole(received: Buffer): boolean {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.toString('latin1', 0, headEnd + 2))?.[1];
  if (length === undefined) throw new Error(`An answer without a length:\n${received.toString('latin1', 0, headEnd)}`);
  return received.length >= headEnd + 4 + Number(length);
}

function refusalIn(received: Buffer): Error | undefined {
  const isSuccess = received.toString('latin1', 9, 10) === '2' && !received.includes('"errors":[');
  return isSuccess ? undefined : new Error(`Not a success:\n${received.toString().slice(0, 2000)}`);
}
