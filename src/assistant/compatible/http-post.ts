/**
 * One POST to the server of a model. It waits as long as its caller does, because `fetch` gives up after five minutes without
 * a byte, and a model on a small machine thinks longer. Bodies are counted decompressed, so that an endless one ends.
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { OutgoingBody } from '../files/outgoing-files.js';

export interface PostOptions {
  headers: Record<string, string>;
  body: OutgoingBody;
  /** Ends the request until it is answered; then the body is the caller's to destroy. */
  signal: AbortSignal;
}

export interface PostAnswer {
  status: number;
  headers: Record<string, string>;
  body: Readable;
}

/** What the types of Node.js 20 lack. */
type ProxyOptions = http.AgentOptions & { proxyEnv?: unknown };
/** Where Node.js itself goes through a proxy, so do these connections: `NODE_USE_ENV_PROXY`, since Node.js 22.21 and 24.5. */
const { proxyEnv }: ProxyOptions = https.globalAgent.options;
/** Kept connections are closed before servers usually close them. */
const kept: ProxyOptions = { keepAlive: true, timeout: 4000, proxyEnv };
const fresh: ProxyOptions = { proxyEnv };
const agents = {
  'http:': { kept: new http.Agent(kept), fresh: new http.Agent(fresh) },
  'https:': { kept: new https.Agent(kept), fresh: new https.Agent(fresh) },
};
const mostRedirects = 3;
/** How soon a kept connection turns out to be closed. One that breaks later has carried the request, which may cost something. */
const closedMs = 2000;

/** Follows a server that only adds `https` or a path to its own address; any other gets neither the key nor the conversation. */
export async function post(url: URL, options: PostOptions): Promise<PostAnswer> {
  let target = url;
  for (let followed = 0; ; followed += 1) {
    const message = await send(target, options);
    const next =
      followed < mostRedirects && typeof options.body.content === 'string' ? redirection(message, target) : null;
    if (!next) return toAnswer(message);
    message.destroy();
    target = next;
  }
}

function redirection({ statusCode, headers }: IncomingMessage, from: URL): URL | null {
  if (headers.location === undefined || !URL.canParse(headers.location, from.href)) return null;
  const to = new URL(headers.location, from);
  const [path, before] = [to, from].map(({ pathname }) => pathname.replace(/\/$/, ''));
  // 301 and 302 to another path ask for a GET (RFC 9110, 15.4), as of a page where people sign in.
  const isOfPost = statusCode === 307 || statusCode === 308;
  const isMoved = (statusCode === 301 || statusCode === 302) && path === before;
  if (!isOfPost && !isMoved) return null;
  const isSafe = to.hostname === from.hostname && (to.protocol === from.protocol || to.protocol === 'https:');
  return isSafe ? to : null;
}

/**
 * Some servers, such as llama.cpp, close each connection after its answer without saying so. A request that goes out over a kept one
 * at that moment is not read, and is sent again over a new one. What cannot be sent again takes a new one from the beginning.
 */
function send(url: URL, options: PostOptions, { isFresh = false } = {}): Promise<IncomingMessage> {
  const { headers, body, signal } = options;
  const isSecure = url.protocol === 'https:';
  const isText = typeof body.content === 'string';
  const own = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const sending = (isSecure ? https : http).request(url, {
    method: 'POST',
    agent: agents[isSecure ? 'https:' : 'http:'][isText && !isFresh ? 'kept' : 'fresh'],
    headers: { accept: 'text/event-stream, application/json', 'accept-encoding': 'identity', ...headers, ...own },
  });
  const sentAt = performance.now();
  const abort = () => sending.destroy(new Error('the request was aborted', { cause: signal.reason }));
  signal.addEventListener('abort', abort, { once: true });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sending.on('response', resolve);
    sending.on('error', reject);
    if (typeof body.content === 'string') sending.end(body.content);
    else pipeline(body.content, sending, (error) => error && reject(error));
  });
  const answeredAtLast = answered.catch((error: unknown) => {
    const isClosed = sending.reusedSocket && performance.now() - sentAt < closedMs;
    if (isClosed && isText && !signal.aborted) return send(url, options, { isFresh: true });
    throw error;
  });
  return answeredAtLast.finally(() => signal.removeEventListener('abort', abort));
}

function toAnswer(message: IncomingMessage): PostAnswer {
  const { statusCode: status = 0, headers } = message;
  const single = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  const body = decompressed(message);
  // Whoever reads the body meets the error; between two reads nobody listens.
  body.on('error', () => undefined);
  return { status, headers: Object.fromEntries(single), body };
}

/** The server is asked for no compression, but a proxy may not care. */
function decompressed(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const create = Object.entries(decoders).find(([name]) => name === encoding)?.[1];
  if (!create) return message;
  // The error also ends the reading of the result.
  return pipeline(message, create(), () => undefined);
}
