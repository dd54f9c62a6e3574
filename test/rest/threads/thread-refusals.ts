/** The refusals that come before anything is looked at, the same for every endpoint: who calls (401), what the token may do (403). */
import { describe, expect } from 'vitest';
import { type Scope, scopes } from '../../../src/contract.js';
import { generateSecret } from '../../../src/modules/identity/access-token.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';

export interface GuardedRequest {
  /** As in the specification: `GET /threads`. */
  title: string;
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  scope: Scope;
}

export function describeRefusals(request: GuardedRequest): void {
  describe(`${request.title} › 401`, () => {
    it('requires a token', async ({ service }) => {
      const { status, headers, body } = await send(service, request, {});
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'missing_token' });
      expect(headers.get('www-authenticate')).toBe('Bearer realm="api"');
    });

    it.for(headersWithoutToken)('refuses the header %s', async ([_title, authorization], { service }) => {
      expect(await refusal(service, request, authorization)).toEqual(invalidToken);
    });

    it.for(deadTokens)('refuses a token that %s', async ([_title, make], { service }) => {
      const secret = await make(service, await service.person());
      expect(await refusal(service, request, `Bearer ${secret}`)).toEqual(invalidToken);
    });

    it('refuses before it validates the request', async ({ service }) => {
      const { status } = await send(service, { ...request, path: `${request.path}?limit=0`, body: 'no json' }, {});
      expect(status).toBe(401);
    });

    it('takes the name of the scheme in any case', async ({ service }) => {
      const { token } = await service.person();
      const { status } = await send(service, request, { authorization: `bEARER ${token}` });
      expect(status).not.toBe(401);
    });
  });

  describe(`${request.title} › 403`, () => {
    it('names the scope that the token lacks', async ({ service }) => {
      const { token } = await service.person({ scopes: scopes.filter((scope) => scope !== request.scope) });
      const { status, headers, body } = await send(service, request, { authorization: `Bearer ${token}` });
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'insufficient_scope' });
      expect(body.required_scope).toBe(request.scope);
      expect(headers.get('www-authenticate')).toBe(
        `Bearer realm="api", error="insufficient_scope", scope="${request.scope}"`,
      );
    });

    it('comes before every validation error', async ({ service }) => {
      const { token } = await service.person({ scopes: [] });
      const broken = { ...request, path: `${request.path}?limit=0`, body: 'no json' };
      expect((await send(service, broken, { authorization: `Bearer ${token}` })).status).toBe(403);
    });

    it('needs no other scope', async ({ service }) => {
      const { token } = await service.person({ scopes: [request.scope] });
      expect((await send(service, request, { authorization: `Bearer ${token}` })).status).not.toBe(403);
    });
  });
}

const invalidToken = { status: 401, code: 'invalid_token', challenge: 'Bearer realm="api", error="invalid_token"' };

const headersWithoutToken: [string, string][] = [
  ['of another scheme', 'Basic YWRhOnNlY3JldA=='],
  ['with nothing after the scheme', 'Bearer'],
  ['with two values', 'Bearer one two'],
  ['without a scheme', generateSecret()],
  ['with a comma', `Bearer ${generateSecret()}, Basic YWRhOnNlY3JldA==`],
];

type MakeToken = (service: TestService, person: Person) => string | Promise<string>;

const deadTokens: [string, MakeToken][] = [
  ['nobody was given', () => generateSecret()],
  ['has a wrong checksum', (_service, { token }) => token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')],
  ['has another prefix', (_service, { token }) => token.replace('skn_pat_', 'ghp_pat_')],
  ['was cut off', (_service, { token }) => token.slice(0, -1)],
  ['has expired', (service, { id }) => service.token(id, scopes, new Date(Date.now() - 1000))],
  ['was revoked', revoked],
];

async function revoked({ service: { database } }: TestService, { id, token }: Person): Promise<string> {
  await database.accessToken.updateMany({ where: { userId: id }, data: { revokedAt: new Date() } });
  return token;
}

function send(service: TestService, { method, path, body }: GuardedRequest, headers: Record<string, string>) {
  if (method === 'GET') return service.client().get(path, { headers });
  return service.client().post(path, body, { headers });
}

async function refusal(service: TestService, request: GuardedRequest, authorization: string) {
  const { status, headers, body } = await send(service, request, { authorization });
  return { status, code: body.code, challenge: headers.get('www-authenticate') };
}
