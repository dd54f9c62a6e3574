/** `/graphql/stream` step by step, as its protocol has it: reserve, open, run, complete. */
import type { GraphQLResult } from '../../support/clients/graphql-client.js';
import { messagesIn } from '../../support/clients/sse.js';

export interface StreamMessage {
  event: string | undefined;
  id?: string;
  payload?: GraphQLResult;
}

export interface OpenStream {
  status: number;
  /** What has come so far. */
  messages: StreamMessage[];
  /** Settles when the stream ends; rejects when it is cut. */
  end: Promise<void>;
  close: () => void;
}

export interface StreamRequest {
  method: string;
  /** Of the reservation, as a header. */
  stream?: string;
  search?: string;
  accept?: string;
  /** Sent as JSON; a text is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export class StreamClient {
  constructor(
    private readonly origin: string,
    private readonly token?: string,
  ) {}

  fetch({ method, stream, search = '', accept, body, headers }: StreamRequest, signal?: AbortSignal) {
    return fetch(`${this.origin}/graphql/stream${search}`, {
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(stream === undefined ? {} : { 'x-graphql-event-stream-token': stream }),
        ...(accept === undefined ? {} : { accept }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  }

  /** The token of a new reservation; throws for anything but 201. */
  async reserve(): Promise<string> {
    const response = await this.fetch({ method: 'PUT' });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`PUT → ${response.status} ${text}`);
    return text;
  }

  /** The status of an operation on a reserved stream, and the text of its response. */
  async run(stream: string, operationId: string, operation: { query: string; variables?: object }) {
    const body = { ...operation, extensions: { operationId } };
    const response = await this.fetch({ method: 'POST', stream, body });
    return { status: response.status, text: await response.text() };
  }

  /** Opens a stream, and reads it from then on; throws for anything but 200. */
  async open(request: Partial<StreamRequest>): Promise<OpenStream> {
    const abort = new AbortController();
    const all = { method: 'GET', accept: 'text/event-stream', ...request };
    const response = await this.fetch(all, abort.signal);
    const { status, body } = response;
    if (status !== 200 || !body) throw new Error(`${all.method} → ${status} ${await response.text()}`);
    const messages: StreamMessage[] = [];
    const end = read(body, messages);
    // Whoever closes it does not wait for its end.
    end.catch(() => undefined);
    return { status, messages, end, close: () => abort.abort() };
  }
}

async function read(body: ReadableStream<Uint8Array>, messages: StreamMessage[]): Promise<void> {
  for await (const { event, data } of messagesIn(body)) {
    const parsed = data === '' ? {} : (JSON.parse(data) as { id?: string; payload?: GraphQLResult });
    messages.push('id' in parsed ? { event, ...parsed } : { event, payload: parsed as GraphQLResult });
  }
}
