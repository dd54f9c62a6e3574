/** A provider of OpenID Connect on a port of its own: it says whatever the test wants of whoever comes. */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { serviceTest } from '../../support/fixtures/service.js';
import { freePort } from '../../support/network/free-port.js';

export const client = { id: 'skein', secret: 'a secret that only the two know' };

/** What it vouches for. */
export interface Identity {
  sub: string;
  email: string;
  email_verified?: unknown;
  name?: string;
}

interface Grant {
  identity: Identity;
  nonce: string | null;
  challenge: string | null;
}

/** It takes long to make a key: all providers have the same. */
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = newKey();

export class Provider {
  /** Whoever comes next. */
  identity: Identity = { sub: 'nobody', email: 'nobody@acme.test' };
  /** True: it signs with a key that it does not publish. */
  signsWrongly = false;
  /** Changes the claims of a token before it is signed. */
  distort: (claims: Record<string, unknown>) => Record<string, unknown> = (claims) => claims;
  /** What its user info endpoint says; null: it has none. */
  userInfo: Record<string, unknown> | 'an error' | null = null;
  /** False: it answers with an access token alone. */
  givesIdTokens = true;
  /** True: it takes requests, and never answers. */
  isSilent = false;
  readonly #server: Server;
  readonly #grants = new Map<string, Grant>();

  constructor(readonly issuer = '') {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Listens on the port of its address, or on one that stays free for it where it goes away and comes back. */
  static async start(port?: number): Promise<Provider> {
    const bound = port ?? (await freePort());
    const provider = new Provider(`http://127.0.0.1:${bound}`);
    await new Promise<void>((resolve) => provider.#server.listen(bound, '127.0.0.1', resolve));
    return provider;
  }

  /** What a browser gets back that is sent here to sign in: the address to which it returns. */
  authorize(address: string): string {
    const { searchParams: asked } = new URL(address);
    const code = randomUUID();
    const [nonce, challenge] = [asked.get('nonce'), asked.get('code_challenge')];
    this.#grants.set(code, { identity: this.identity, nonce, challenge });
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    return back.href;
  }

  /** The page that a person sees here, who is known already and may go on or not. */
  page(address: string): string {
    const refused = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    refused.searchParams.set('error', 'access_denied');
    refused.searchParams.set('state', new URL(address).searchParams.get('state') ?? '');
    const link = (href: string, text: string) => `<p><a href="${href.replaceAll('&', '&amp;')}">${text}</a></p>`;
    const go = link(this.authorize(address), `Continue as ${this.identity.email}`);
    return `<!doctype html><title>Acme ID</title><h1>Acme ID</h1>${go}${link(refused.href, 'Cancel')}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isSilent) return;
    if (request.url?.startsWith('/authorize?')) {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(this.page(this.issuer + request.url));
      return;
    }
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => this.#configuration(),
      '/keys': () => ({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' }] }),
      '/token': () => this.#token(new URLSearchParams(body)),
      '/userinfo': () => (this.userInfo === 'an error' ? undefined : this.userInfo),
    };
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const answer = answers[request.url ?? '']?.();
    response.writeHead(answer ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
  }

  #configuration() {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(this.userInfo === null ? {} : { userinfo_endpoint: `${issuer}/userinfo` }),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  /** Undefined for a code that is unknown or was used, a client that is none, and a verifier that does not fit. */
  #token(asked: URLSearchParams) {
    const code = asked.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const isClient = asked.get('client_id') === client.id && asked.get('client_secret') === client.secret;
    const challenge = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || !isClient || challenge !== grant.challenge) return undefined;
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { iss: this.issuer, aud: client.id, iat: seconds, exp: seconds + 300, nonce: grant.nonce };
    const { privateKey } = this.signsWrongly ? newKey() : key;
    const idToken = signed(this.distort({ ...claims, ...grant.identity }), privateKey);
    const granted = { access_token: 'an access token', token_type: 'Bearer', expires_in: 300 };
    return this.givesIdTokens ? { ...granted, id_token: idToken } : granted;
  }
}

function signed(claims: object, privateKey: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'RS256', kid: 'key', typ: 'JWT' })}.${part(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
}

/** Tests of a service whose people may sign in with a provider of OpenID Connect. */
export const it = serviceTest()
  .extend('provider', { scope: 'file' }, () => Provider.start())
  .extend('service', { scope: 'file' }, ({ provider, startService }, { onCleanup }) => {
    onCleanup(() => provider.close());
    const environment = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret };
    return startService({ environment: { ...environment, OIDC_NAME: 'Acme ID' } });
  });
