/**
 * A REST client for tests over real HTTP. Every response is checked against the OpenAPI document: status, headers and
 * body; so a test that checks one field still notices another one that is wrong.
 */
import { checkResponse } from './response-checker.js';
import type { CreatedBody, MessageBody, PollBody, ProblemBody } from './rest-types.js';
import { type ReceivedEvent, readEvents } from './sse.js';

export interface RestReply<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Where a message is. */
export interface Sent {
  threadId: string;
  messageId: string;
}

export class RestClient {
  readonly #base: string;
  readonly #token: string | undefined;

  constructor({ origin, prefix, token }: { origin: string; prefix: string; token: string | undefined }) {
    this.#base = `${origin}${prefix}`;
    this.#token = token;
  }

  get<Body = ProblemBody>(path: string, options: RequestOptions = {}): Promise<RestReply<Body>> {
    return this.request<Body>(path, { method: 'GET', ...options });
  }

  /** Posts JSON; a string is sent as it is. */
  post<Body = ProblemBody>(path: string, body: unknown, options: RequestOptions = {}): Promise<RestReply<Body>> {
    const headers = { 'content-type': 'application/json', ...options.headers };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.request<Body>(path, { method: 'POST', ...options, headers, body: text });
  }

  async request<Body = ProblemBody>(path: string, init: RequestInit): Promise<RestReply<Body>> {
    const response = await this.fetch(path, init);
    const text = await response.text();
    const contentType = response.headers.get('content-type');
    const body: unknown = text === '' ? undefined : contentType?.includes('json') ? JSON.parse(text) : text;
    const { status, headers } = response;
    checkResponse({ method: init.method ?? 'GET', path: path.split('?')[0] ?? path, status, headers, body });
    return { status, headers, body: body as Body };
  }

  /** The bare response, unread and unchecked. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#token !== undefined && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${this.#token}`);
    return fetch(`${this.#base}${path}`, { ...init, headers });
  }

  /** Creates a thread; throws for anything but 201. */
  async createThread(
    body: { text: string; name?: string | null; is_private?: boolean },
    options: RequestOptions = {},
  ): Promise<Sent> {
    const reply = await this.post<CreatedBody>('/threads', body, options);
    if (reply.status !== 201) throw new Error(`POST /threads → ${reply.status} ${JSON.stringify(reply.body)}`);
    return { threadId: reply.body.thread_id, messageId: reply.body.message_id };
  }

  /** Sends a message; throws for anything but 201. */
  async send(threadId: string, text: string, options: RequestOptions = {}): Promise<Sent> {
    const reply = await this.post<{ message_id: string }>(`/threads/${threadId}/messages`, { text }, options);
    if (reply.status !== 201) throw new Error(`POST messages → ${reply.status} ${JSON.stringify(reply.body)}`);
    return { threadId, messageId: reply.body.message_id };
  }

  /** Opens the stream of a response; throws for anything but 200. */
  async stream(sent: Sent, options: RequestOptions = {}): Promise<AsyncGenerator<ReceivedEvent>> {
    const path = `/threads/${sent.threadId}/messages/${sent.messageId}/response/stream`;
    const response = await this.fetch(path, options);
    if (response.status !== 200 || !response.body)
      throw new Error(`stream → ${response.status} ${await response.text()}`);
    checkResponse({ method: 'GET', path, status: 200, headers: response.headers, body: undefined });
    return readEvents(response.body);
  }

  /** All events of a response, to the end of its stream. */
  async streamToEnd(sent: Sent, options: RequestOptions = {}): Promise<ReceivedEvent[]> {
    const events: ReceivedEvent[] = [];
    for await (const event of await this.stream(sent, options)) events.push(event);
    return events;
  }

  /** Waits for the end of a response by its stream, and gives the assistant's messages; throws where it failed. */
  async answer(sent: Sent): Promise<MessageBody[]> {
    const events = await this.streamToEnd(sent);
    if (events.at(-1)?.event !== 'done') throw new Error(`The response ended with ${JSON.stringify(events.at(-1))}`);
    const reply = await this.get<PollBody>(`/threads/${sent.threadId}/messages/${sent.messageId}/response`);
    if (reply.status !== 200) throw new Error(`poll after done → ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.messages ?? [];
  }

  /** A thread whose first response is complete. */
  async readyThread(body: { text: string; name?: string | null; is_private?: boolean }): Promise<Sent> {
    const sent = await this.createThread(body);
    await this.answer(sent);
    return sent;
  }
}
