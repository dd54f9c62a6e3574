/** A GraphQL client for tests over real HTTP: what was asked goes out as it is, and what came back is not interpreted. */
import type { DataOf, Fitting, Found, InputOf } from '../../../src/graphql/document-types/document-types.js';
import { messagesIn } from './sse.js';

export interface GraphQLFailure {
  message: string;
  path?: (string | number)[];
  extensions?: Record<string, unknown>;
}

export interface GraphQLResult<Data = Record<string, unknown>> {
  data?: Data | null;
  errors?: GraphQLFailure[];
}

export interface GraphQLReply<Data> {
  status: number;
  headers: Headers;
  body: GraphQLResult<Data>;
}

export interface Operation<Text extends string = string> {
  query: Text;
  variables?: Record<string, unknown>;
  operationName?: string;
}

/** The variables of a document: nothing where it needs none. */
export type Variables<Text extends string> =
  Record<never, never> extends InputOf<Text> ? [variables?: InputOf<Text>] : [variables: InputOf<Text>];

/** A document of which the test reads the data: one that selects what the schema does not have is a type error. */
export type Document<Text extends string> = Text & Fitting<DataOf<Text>>;

/** The data of a document that had no errors. */
export type Data<Text extends string> =
  unknown extends DataOf<Text> ? Record<string, unknown> : Merged<Found<DataOf<Text>>>;

/** The members of a union as one object: a test knows which of them it gets, and fails where it gets another. */
type Merged<Value> = [NonNullable<Value>] extends [readonly (infer Item)[]]
  ? Merged<Item>[] | Extract<Value, null>
  : [NonNullable<Value>] extends [object]
    ? MergedMembers<NonNullable<Value>> | Extract<Value, null>
    : Exclude<Value, undefined>;
type MergedMembers<Union> = { [Key in KeysOf<Union>]: Merged<Member<Union, Key>> };
type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type Member<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : never) : never;

/** An open subscription. */
export interface Subscription<Data> {
  status: number;
  headers: Headers;
  /** The results as they come, to the end. Leaving the loop closes the connection. */
  results: AsyncGenerator<GraphQLResult<Data>>;
}

export class GraphQLClient {
  readonly #url: string;
  readonly #token: string | undefined;

  constructor({ origin, token }: { origin: string; token?: string | undefined }) {
    this.#url = `${origin}/graphql`;
    this.#token = token;
  }

  /** Runs an operation and gives the whole reply. */
  async run<const Text extends string>(
    operation: Operation<Document<Text>> | Document<Text>,
    headers: Record<string, string> = {},
  ): Promise<GraphQLReply<Data<Text>>> {
    const body = typeof operation === 'string' ? { query: operation } : operation;
    const response = await this.post(JSON.stringify(body), headers);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parseJson<GraphQLResult<Data<Text>>>(text) };
  }

  /** The data of an operation; throws where there are errors. */
  async data<const Text extends string>(query: Document<Text>, ...[variables]: Variables<Text>): Promise<Data<Text>> {
    const { status, body } = await this.run<Text>({ query, variables: { ...variables } });
    if (status !== 200 || body.errors || !body.data) throw new Error(`${query} → ${status} ${JSON.stringify(body)}`);
    return body.data;
  }

  /** The first error of an operation; throws where there is none. */
  async failure(operation: Operation | string): Promise<GraphQLFailure> {
    const { status, body } = await this.run(operation);
    const [failure] = body.errors ?? [];
    if (!failure) throw new Error(`${JSON.stringify(operation)} → ${status} ${JSON.stringify(body)}, without an error`);
    return failure;
  }

  /** Opens a subscription as server-sent events. */
  async subscribe<const Text extends string>(
    operation: Operation<Document<Text>>,
    signal?: AbortSignal,
  ): Promise<Subscription<Data<Text>>> {
    const headers = { accept: 'text/event-stream' };
    const response = await this.post(JSON.stringify(operation), headers, signal);
    const { status, body } = response;
    if (!body) throw new Error(`The subscription was answered with ${status} and no body`);
    return { status, headers: response.headers, results: readResults<Data<Text>>(body) };
  }

  /** The bare response to a body, unread. */
  post(body: BodyInit, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    const all = { 'content-type': 'application/json', ...headers };
    return this.fetch('', { method: 'POST', headers: all, body, ...(signal ? { signal } : {}) });
  }

  /** The bare response to a request; `search` is added to the path. */
  fetch(search: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#token !== undefined && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${this.#token}`);
    return fetch(`${this.#url}${search}`, { ...init, headers });
  }
}

function parseJson<Body>(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch (error) {
    throw new Error(`The answer is no JSON: ${text.slice(0, 500)}`, { cause: error });
  }
}

/** A stream of results ended before the service said so. */
export class StreamCutError extends Error {}

/**
 * The `next` events of the stream; `complete` is its end, and a stream that ends without it was cut. The body is taken at
 * once: `fetch` cancels one that nobody has begun to read as soon as its response is collected as garbage.
 */
export function readResults<Data>(body: ReadableStream<Uint8Array>): AsyncGenerator<GraphQLResult<Data>> {
  return resultsIn<Data>(body.values());
}

async function* resultsIn<Data>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<GraphQLResult<Data>> {
  for await (const { event, data } of messagesIn(chunks)) {
    if (event === 'complete') return;
    yield parseJson<GraphQLResult<Data>>(data);
  }
  throw new StreamCutError('The stream was cut: it ended without `complete`.');
}
