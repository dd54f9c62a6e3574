import { describe, expect } from 'vitest';
import { createOrganization } from '../../../src/modules/identity/provision.js';
import type { IdentityBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';

describe('GET /me › 200', () => {
  it('gives the identity and the organization of the token, by its slug', async ({ service }) => {
    await createOrganization(service.database, { slug: 'initech', name: 'Initech Ltd' });
    const ada = await service.person({ org: 'initech', name: 'Ada', role: 'admin' });
    const { status, body } = await ada.rest.get<IdentityBody>('/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      sub: ada.id,
      name: 'Ada',
      email: ada.email,
      service_user_id: expect.any(Number),
      service_organization_id: expect.any(Number),
      service_organization_slug: 'initech',
      role: 'admin',
    });
  });

  it('gives each user and each organization a stable id, whatever the token', async ({ service }) => {
    const person = { org: 'numbers', name: 'Same' };
    const [one, two] = [await service.person(person), await service.person(person)];
    const stranger = await service.person({ org: 'other-numbers', name: 'Same' });
    const me = async (rest = one.rest) => (await rest.get<IdentityBody>('/me')).body;
    const first = await me();
    const [second, third] = [await me(two.rest), await me(stranger.rest)];
    expect(await me(service.client(await service.token(one.id, ['me:read'])))).toEqual(first);
    expect(new Set([first, second, third].map(({ sub }) => sub))).toEqual(new Set([one.id, two.id, stranger.id]));
    expect(new Set([first, second, third].map((identity) => identity.service_user_id)).size).toBe(3);
    expect(second.service_organization_id).toBe(first.service_organization_id);
    expect(third.service_organization_id).not.toBe(first.service_organization_id);
    expect([first, third].map((identity) => identity.service_organization_slug)).toEqual(['numbers', 'other-numbers']);
  });

  it('gives null for a user without a name, and names the role of a member', async ({ service }) => {
    const nameless = await service.person({ name: null, role: 'member' });
    expect((await nameless.rest.get<IdentityBody>('/me')).body).toMatchObject({ name: null, role: 'member' });
  });
});
