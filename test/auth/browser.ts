/**
 * A browser, as far as signing in goes: it keeps cookies, and says which page a request comes from. Each has an address of
 * its own, so that they do not share what one address may try.
 */
import type { Data, Document, Variables } from '../support/clients/graphql-client.js';
import type { TestService } from '../support/service.js';

export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

let browsers = 0;

export class Browser {
  readonly #address: string;
  readonly #cookies = new Map<string, string>();

  /** `origin` is that of the page that is open. */
  constructor(
    readonly url: string,
    readonly origin = 'https://skein.test',
  ) {
    browsers += 1;
    this.#address = `198.18.${browsers >> 8}.${browsers & 255}`;
  }

  /** The cookies, as they would be sent. */
  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async fetch(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const sent = {
      origin: this.origin,
      'x-forwarded-for': this.#address,
      ...(this.cookies ? { cookie: this.cookies } : {}),
      ...headers,
    };
    const response = await fetch(new URL(path, this.url), { redirect: 'manual', ...init, headers: sent });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  }

  async get<Body = unknown>(path: string): Promise<Answer<Body>> {
    return answerOf<Body>(await this.fetch(path));
  }

  async post<Body = unknown>(path: string, body: unknown = {}, headers: HeadersInit = {}): Promise<Answer<Body>> {
    const json = { 'content-type': 'application/json', ...headers };
    return answerOf<Body>(await this.fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) }));
  }

  /** Sends a form, as the page behind a link does. */
  submit(path: string, fields: Record<string, string>): Promise<Response> {
    return this.fetch(path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** The data of an operation of GraphQL, or its first error. */
  async graphql<const Text extends string>(
    query: Document<Text>,
    ...[variables]: Variables<Text>
  ): Promise<Data<Text>> {
    const { body } = await this.post<{ data?: Data<Text>; errors?: unknown[] }>('/graphql', { query, variables });
    if (!body.data || body.errors) throw new Error(`the operation failed: ${JSON.stringify(body)}`);
    return body.data;
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0/i.test(cookie)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

async function answerOf<Body>(response: Response): Promise<Answer<Body>> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as Body };
}

/** The secret in a link that signs in. */
export function secretOf(link: string): string {
  return new URL(link).searchParams.get('token') ?? '';
}

export function browserOf({ url }: Pick<TestService, 'url'>): Browser {
  return new Browser(url);
}
