import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IdentityBody } from '../support/rest-types.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('GET /me › 200', () => {
  it('gives the identity and the organization of the token', async () => {
    const ada = await service.person({ org: 'acme', name: 'Ada', role: 'admin' });
    const { status, body } = await ada.rest.get<IdentityBody>('/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      sub: ada.id,
      name: 'Ada',
      email: ada.email,
      service_user_id: expect.any(Number),
      service_organization_id: expect.any(Number),
      service_organization_slug: 'acme',
      role: 'admin',
    });
  });

  it('gives null for a user without a name', async () => {
    const nameless = await service.person({ name: null });
    expect((await nameless.rest.get<IdentityBody>('/me')).body.name).toBeNull();
  });
});

describe('GET /me › 401', () => {
  it('requires a token', async () => {
    const { status, headers, body } = await service.client().get('/me');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="api"');
    expect(body.code).toBe('missing_token');
  });
});

describe('GET /me › 403', () => {
  it('names the scope that the token lacks', async () => {
    const { rest } = await service.person({ scopes: ['threads:read'] });
    const { status, body } = await rest.get('/me');
    expect(status).toBe(403);
    expect(body.required_scope).toBe('me:read');
  });
});
