import { describe, expect, vi } from 'vitest';
import { scopes } from '../../../src/contract.js';
import { generateSecret } from '../../../src/modules/identity/access-token.js';
import { it } from '../../support/fixtures/service.js';
import type { TestService } from '../../support/service.js';
import { endpointCases, initFor, pathFor } from './endpoint-cases.js';

function meWith(service: TestService, authorization: string) {
  return service.client().get('/me', { headers: { authorization } });
}

const nowhere = { threadId: 'x', questionId: 'x', answerId: 'x' };

describe('a refused token', () => {
  it.for([
    ['missing_token', 401, ''],
    ['invalid_token', 401, ', error="invalid_token"'],
    ['insufficient_scope', 403, ', error="insufficient_scope", scope="me:read"'],
  ] as const)('is told why, in WWW-Authenticate too: %s', async ([code, status, reason], { service, ada }) => {
    const tokens = {
      missing_token: undefined,
      invalid_token: 'nonsense',
      insufficient_scope: await service.token(ada.id, ['threads:read']),
    };
    const reply = await service.client(tokens[code]).get('/me');
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(reply.headers.get('www-authenticate')).toBe(`Bearer realm="api"${reason}`);
    expect(reply.body.required_scope).toBe(status === 403 ? 'me:read' : undefined);
  });
});

describe('a header without a bearer token', () => {
  it('is told how to send one, not that its token is unusable', async ({ service, ada }) => {
    const { token } = ada;
    for (const value of [
      ...['Bearer', token, `Basic ${token}`, `Token ${token}`, `Bearer: ${token}`, `Bearer Bearer ${token}`],
      ...[`Bearer ${token} ${token}`, `Bearer ${token},Bearer ${token}`, `Bearer ${token}, Basic YWRhOnNlY3JldA==`],
    ]) {
      const { status, headers, body } = await meWith(service, value);
      const challenge = headers.get('www-authenticate');
      expect([value, status, body.code, challenge]).toEqual([value, 401, 'missing_token', 'Bearer realm="api"']);
      expect(body.detail).toContain('"Authorization: Bearer <token>"');
    }
  });
});

describe('an invalid token', () => {
  it('is any other word after "Bearer" than a valid one', async ({ service, ada }) => {
    const { token } = ada;
    const flipped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    for (const value of [
      ...[flipped, `"${token}"`, token.slice(0, -1), `${token}x`, token.toLowerCase(), `${token},${token}`],
      ...[token.replace('skn_pat_', 'ghp_pat_'), 'x'.repeat(8000)],
    ]) {
      const { status, body } = await meWith(service, `Bearer ${value}`);
      expect([value, status, body.code]).toEqual([value, 401, 'invalid_token']);
    }
  });

  it('is one that was never issued, has expired, or was revoked, with the same words', async ({ service, ada }) => {
    const expired = await service.token(ada.id, scopes, new Date(Date.now() - 1000));
    const revoked = await service.token(ada.id, scopes);
    expect((await meWith(service, `Bearer ${revoked}`)).status).toBe(200);
    await service.database.accessToken.updateMany({
      where: { userId: ada.id, lastFour: revoked.slice(-4) },
      data: { revokedAt: new Date() },
    });
    // The process learns of it by a notification, within a second.
    await vi.waitFor(async () => expect((await meWith(service, `Bearer ${revoked}`)).status).toBe(401), {
      timeout: 20_000,
    });
    const bodies = new Set<string>();
    for (const token of [generateSecret(), expired, revoked]) {
      const { status, body } = await meWith(service, `Bearer ${token}`);
      expect(status).toBe(401);
      bodies.add(JSON.stringify({ ...body, request_id: '' }));
    }
    expect(bodies.size).toBe(1);
  });

  it('is one in the query: tokens are read from the header alone', async ({ service, ada }) => {
    expect((await service.client().get(`/me?access_token=${ada.token}`)).status).toBe(401);
  });
});

describe('a valid token', () => {
  it('is accepted with the scheme in any case, and with more than one space', async ({ service, ada }) => {
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER   ']) {
      expect((await meWith(service, `${scheme}${ada.token}`)).status).toBe(200);
    }
  });

  it('works until it expires', async ({ service, ada }) => {
    const token = await service.token(ada.id, scopes, new Date(Date.now() + 60_000));
    expect((await meWith(service, `Bearer ${token}`)).status).toBe(200);
  });

  it('gives no more than its scopes: an endpoint names the one that is missing', async ({ service, ada }) => {
    for (const each of endpointCases) {
      const path = pathFor(each, nowhere);
      const others = scopes.filter((scope) => scope !== each.scope);
      const refused = await service.client(await service.token(ada.id, others)).request(path, initFor(each));
      expect([path, refused.status, refused.body.required_scope]).toEqual([path, 403, each.scope]);
      for (const client of [ada.rest, service.client(await service.token(ada.id, [each.scope]))])
        expect([200, 201, 404]).toContain((await client.request(path, initFor(each))).status);
    }
  });
});
