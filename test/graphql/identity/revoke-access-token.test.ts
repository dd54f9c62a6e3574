/** A personal access token that is revoked ends at once and everywhere. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { createToken, revokeToken } from './access-token-operations.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

function client(token: string): GraphQLClient {
  return new GraphQLClient({ origin: service.url, token });
}

describe('revokeAccessToken', () => {
  async function pair(): Promise<{ ada: Person; secret: string; id: string }> {
    const ada = await service.person();
    const { secret, accessToken } = await createToken(client(ada.token), { name: 'Script', scopes: ['ME_READ'] });
    return { ada, secret, id: accessToken.id };
  }

  it('ends a token at once, on REST and on GraphQL', async () => {
    const { ada, secret, id } = await pair();
    expect((await service.client(secret).get('/me')).status).toBe(200);
    expect(await revokeToken(client(ada.token), id)).toMatchObject({
      __typename: 'AccessToken',
      id,
      revokedAt: expect.any(String),
    });
    expect((await service.client(secret).get('/me')).status).toBe(401);
    expect((await client(secret).run('{ me { sub } }')).status).toBe(401);
    expect((await service.client(ada.token).get('/me')).status).toBe(200);
  });

  it('is idempotent', async () => {
    const { ada, id } = await pair();
    const { revokedAt } = await revokeToken(client(ada.token), id);
    expect(await revokeToken(client(ada.token), id)).toMatchObject({ __typename: 'AccessToken', revokedAt });
  });

  it('may end the token in use', async () => {
    const { secret, id } = await pair();
    expect(await revokeToken(client(secret), id)).toMatchObject({ __typename: 'AccessToken' });
    expect((await client(secret).run('{ me { sub } }')).status).toBe(401);
  });

  it('does not find the token of another user, and leaves it alive', async () => {
    const { secret, id } = await pair();
    const colleague = await service.person({ role: 'admin' });
    expect(await revokeToken(client(colleague.token), id)).toEqual({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
    expect(await revokeToken(client(colleague.token), 'tok_none')).toEqual({
      __typename: 'NotFoundError',
      code: 'NOT_FOUND',
    });
    expect((await service.client(secret).get('/me')).status).toBe(200);
  });
});
