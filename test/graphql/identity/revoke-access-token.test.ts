/** A personal access token that is revoked ends at once and everywhere. */
import { describe, expect } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { createToken, revokeToken } from './access-token-operations.js';

function client(service: TestService, token: string): GraphQLClient {
  return new GraphQLClient({ origin: service.url, token });
}

describe('revokeAccessToken', () => {
  async function pair(service: TestService): Promise<{ ada: Person; secret: string; id: string }> {
    const ada = await service.person();
    const { secret, accessToken } = await createToken(client(service, ada.token), {
      name: 'Script',
      scopes: ['ME_READ'],
    });
    return { ada, secret, id: accessToken.id };
  }

  it('ends a token at once, on REST and on GraphQL', async ({ service }) => {
    const { ada, secret, id } = await pair(service);
    expect((await service.client(secret).get('/me')).status).toBe(200);
    expect(await revokeToken(client(service, ada.token), id)).toMatchObject({
      __typename: 'AccessToken',
      id,
      revokedAt: expect.any(String),
    });
    expect((await service.client(secret).get('/me')).status).toBe(401);
    expect((await client(service, secret).run('{ me { sub } }')).status).toBe(401);
    expect((await service.client(ada.token).get('/me')).status).toBe(200);
  });

  it('is idempotent', async ({ service }) => {
    const { ada, id } = await pair(service);
    const { revokedAt } = await revokeToken(client(service, ada.token), id);
    expect(await revokeToken(client(service, ada.token), id)).toMatchObject({ __typename: 'AccessToken', revokedAt });
  });

  it('may end the token in use', async ({ service }) => {
    const { secret, id } = await pair(service);
    expect(await revokeToken(client(service, secret), id)).toMatchObject({ __typename: 'AccessToken' });
    expect((await client(service, secret).run('{ me { sub } }')).status).toBe(401);
  });

  it('does not find the token of another user, and leaves it alive', async ({ service }) => {
    const { secret, id } = await pair(service);
    const colleague = await service.person({ role: 'admin' });
    expect(await revokeToken(client(service, colleague.token), id)).toEqual({
      __typename: 'NotFoundError',
      code: 'NOT_FOUND',
    });
    expect(await revokeToken(client(service, colleague.token), 'tok_none')).toEqual({
      __typename: 'NotFoundError',
      code: 'NOT_FOUND',
    });
    expect((await service.client(secret).get('/me')).status).toBe(200);
  });
});
