/** Takes turns with a service: sends a message, and reads the stream of its answer to the end, each as soon as the last ended. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LoadResult } from './http-load.js';

export interface TurnServer {
  /** What `/threads` is below. */
  url: string;
  token: string;
}

/** How many turns a second ended within `durationMs`, and how long after it was sent each had its first token. */
export async function takeTurns(
  server: TurnServer,
  { atATime, durationMs }: { atATime: number; durationMs: number },
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: atATime });
  const latenciesMs: number[] = [];
  const startedMs = performance.now();
  const takeUntilEnd = async () => {
    do latenciesMs.push((await takeTurn(server, { agent })).firstTokenMs);
    while (performance.now() - startedMs < durationMs);
  };
  await Promise.all(Array.from({ length: atATime }, takeUntilEnd));
  const tookMs = performance.now() - startedMs;
  agent.destroy();
  return { perSecond: (latenciesMs.length / tookMs) * 1000, latenciesMs };
}

export interface Turn {
  /** A thread that is ready; undefined: a new one. */
  threadId?: string | undefined;
  agent?: Agent;
}

/** Gives the thread, and the milliseconds from the message to the first token. */
export async function takeTurn(
  { url, token }: TurnServer,
  { threadId, agent }: Turn,
): Promise<{ threadId: string; firstTokenMs: number }> {
  const sentMs = performance.now();
  const ask = (path: string, body?: string) => {
    const type = body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {};
    const headers = { authorization: `Bearer ${token}`, ...type };
    return open(`${url}${path}`, { agent, method: body ? 'POST' : 'GET', headers }, body);
  };
  const path = threadId ? `/threads/${threadId}/messages` : '/threads';
  const sent = await ask(path, '{"text":"Hello, what can you do?"}');
  const answer = await text(sent);
  if (sent.statusCode !== 201) throw new Error(`POST ${url}${path} → ${sent.statusCode} ${answer}`);
  const { thread_id: thread = threadId ?? '', message_id: message } = JSON.parse(answer) as Record<string, string>;
  const stream = await ask(`/threads/${thread}/messages/${message}/response/stream`);
  let firstMs = Number.NaN;
  let said = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    said += chunk;
    if (Number.isNaN(firstMs) && said.includes('"token"')) firstMs = performance.now() - sentMs;
  }
  if (stream.statusCode === 200 && !Number.isNaN(firstMs)) return { threadId: thread, firstTokenMs: firstMs };
  throw new Error(`GET the stream of ${message} → ${stream.statusCode} ${said}`);
}

function open(url: string, options: object, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body);
  });
}
