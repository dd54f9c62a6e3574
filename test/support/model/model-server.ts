/**
 * A model to test against: a real HTTP server on loopback that speaks OpenAI-style chat completions and says what the
 * test scripted. It keeps each request, and knows when the client hung up before the answer was complete.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { nameRequest } from '../../../src/assistant/summary-texts.js';
import { playScript } from './model-playback.js';
import type { ChatRequest } from './model-request.js';
import { requestProblem } from './model-request.js';
import type { ModelScript, ModelStep } from './model-script.js';
import { defaultScript, httpError, text } from './model-script.js';

export interface ModelRequest {
  body: ChatRequest;
  headers: IncomingHttpHeaders;
  /** Resolves when the connection is closed before the answer is complete, be it by the client or by the script. */
  closed: Promise<void>;
}

type Responder = (request: ModelRequest) => ModelScript;

/** Starts a model server on a free port. With `apiKey` it answers 401 to every other bearer token. */
export async function startModelServer(options: { apiKey?: string } = {}): Promise<ModelServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new ModelServer(server, options.apiKey);
}

export class ModelServer {
  /** What `AI_BASE_URL` must be. */
  readonly url: string;
  /** All requests so far, refused ones included, in the order of their arrival; without those for the name of a thread. */
  readonly requests: ModelRequest[] = [];
  /** The requests for the name of a thread, which come at any time and take no script. */
  readonly namings: ModelRequest[] = [];
  readonly #server: Server;
  readonly #apiKey: string | undefined;
  readonly #scripts: ModelScript[] = [];
  #responder: Responder = () => defaultScript;
  #namer: Responder = () => [text('A few words')];

  constructor(server: Server, apiKey: string | undefined) {
    this.#server = server;
    this.#apiKey = apiKey;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  /** Each script is for one of the next requests. */
  enqueue(...scripts: ModelScript[]): void {
    this.#scripts.push(...scripts);
  }

  /** Drops the scripts that no request has taken. */
  forget(): void {
    this.#scripts.length = 0;
  }

  /** What to answer when no script is left; by default a short greeting. */
  respond(responder: Responder): void {
    this.#responder = responder;
  }

  /** What to answer when the name of a thread is asked for. */
  nameBy(namer: Responder): void {
    this.#namer = namer;
  }

  /** The last request; throws when there was none. */
  get lastRequest(): ModelRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('The model server has had no request.');
    return request;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      response.on('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    const body = await readBody(incoming);
    const request: ModelRequest = { body, headers: incoming.headers, closed };
    const isNaming = body.messages.at(-1)?.content === nameRequest;
    const requests = isNaming ? this.namings : this.requests;
    requests.push(request);
    response.setHeader('x-request-id', `req-${requests.length}`);
    const refusal = this.#refusal(incoming, body);
    const script = refusal ? [refusal] : isNaming ? this.#namer(request) : this.#next(request);
    await playScript(script, { response, body, closed });
  }

  #next(request: ModelRequest): ModelScript {
    return this.#scripts.shift() ?? this.#responder(request);
  }

  #refusal({ method, url, headers }: IncomingMessage, body: ChatRequest): ModelStep | undefined {
    if (method !== 'POST' || url !== '/v1/chat/completions') return httpError(404, { message: `Unknown path ${url}` });
    if (this.#apiKey !== undefined && headers.authorization !== `Bearer ${this.#apiKey}`) {
      return httpError(401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' });
    }
    const problem = requestProblem(body);
    return problem === undefined ? undefined : httpError(400, { message: problem, type: 'invalid_request_error' });
  }
}

/** A body that is no JSON becomes an empty request, which is then refused. */
async function readBody(incoming: IncomingMessage): Promise<ChatRequest> {
  try {
    return (await readJson(incoming)) as ChatRequest;
  } catch (error) {
    return { model: '', messages: [], error };
  }
}
