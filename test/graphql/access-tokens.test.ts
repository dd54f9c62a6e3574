/** Personal access tokens through the graph: made, listed without their secret, revoked at once and everywhere. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scope, scopes } from '../../src/modules/identity/scopes.js';
import { GraphQLClient } from '../support/graphql-client.js';
import { type Person, startTestService, type TestService } from '../support/service.js';

const dayMs = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

function client(token: string): GraphQLClient {
  return new GraphQLClient({ origin: service.url, token });
}

interface AccessToken {
  id: string;
  name: string;
  lastFour: string;
  scopes: string[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

interface Creation {
  __typename: 'CreatedAccessToken' | 'InvalidInputError';
  secret: string;
  accessToken: AccessToken;
  problems: { field: string; message: string }[];
}

const tokenFields = 'id name lastFour scopes createdAt expiresAt lastUsedAt revokedAt';
const creation = `mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) {
  __typename
  ... on CreatedAccessToken { secret accessToken { ${tokenFields} } }
  ... on InvalidInputError { problems { field message } }
} }`;
const revocation = `mutation ($id: ID!) { revokeAccessToken(id: $id) {
  __typename ... on AccessToken { ${tokenFields} } ... on NotFoundError { code }
} }`;

async function create(token: string, input: Record<string, unknown>): Promise<Creation> {
  return (await client(token).data<{ createAccessToken: Creation }>(creation, { input })).createAccessToken;
}

async function revoke(token: string, id: string): Promise<Record<string, unknown>> {
  return (await client(token).data<{ revokeAccessToken: Record<string, unknown> }>(revocation, { id }))
    .revokeAccessToken;
}

async function list(token: string): Promise<AccessToken[]> {
  return (await client(token).data<{ accessTokens: AccessToken[] }>(`{ accessTokens { ${tokenFields} } }`))
    .accessTokens;
}

/** How many days from now, to within a minute. */
function daysUntil(moment: string | null): number {
  return Math.round(((new Date(moment ?? 0).getTime() - Date.now()) / dayMs) * 1000) / 1000;
}

describe('createAccessToken', () => {
  it('shows a secret that works on REST and GraphQL, with the scopes that were asked for', async () => {
    const ada = await service.person();
    const { secret, accessToken } = await create(ada.token, { name: 'Script', scopes: ['ME_READ'], expiresInDays: 7 });
    expect(secret).toMatch(/^skn_pat_[0-9A-Za-z]{36}$/);
    expect(accessToken).toMatchObject({
      ...{ name: 'Script', scopes: ['ME_READ'], lastFour: secret.slice(-4), lastUsedAt: null, revokedAt: null },
    });
    expect(daysUntil(accessToken.expiresAt)).toBe(7);
    expect((await service.client(secret).get('/me')).status).toBe(200);
    expect((await service.client(secret).get('/threads')).status).toBe(403);
    expect(await client(secret).data('{ me { sub } }')).toEqual({ me: { sub: ada.id } });
  });

  it('leaves nothing but the digest and the last four characters in the database', async () => {
    const ada = await service.person();
    const { secret, accessToken } = await create(ada.token, { name: 'Script', scopes: ['ME_READ'] });
    const [row] = await service.service.database.$queryRaw<{ digest: Uint8Array; text: string }[]>`
      SELECT digest, to_jsonb(k)::text AS text FROM access_token k WHERE id = ${accessToken.id}`;
    expect(Buffer.from(row?.digest ?? []).toString('hex')).toBe(createHash('sha256').update(secret).digest('hex'));
    expect(row?.text).toContain(`"last_four": "${secret.slice(-4)}"`);
    for (const part of [secret.slice(0, -4), secret.slice(8, -6), secret.slice(-12)])
      expect(row?.text).not.toContain(part);
    expect(service.log.join('')).not.toContain(secret.slice(8, -6));
  });

  it('lives 90 days where nothing else is asked for, and a year at the most', async () => {
    const ada = await service.person();
    const expiry = async (expiresInDays?: number | null) =>
      daysUntil(
        (await create(ada.token, { name: 'x', scopes: ['ME_READ'], expiresInDays })).accessToken?.expiresAt ?? null,
      );
    expect(await expiry()).toBe(90);
    expect(await expiry(null)).toBe(90);
    expect(await expiry(365)).toBe(365);
    for (const expiresInDays of [0, -1, 366, 2_000_000_000]) {
      const { problems } = await create(ada.token, { name: 'x', scopes: ['ME_READ'], expiresInDays });
      expect(problems).toEqual([{ field: 'expiresInDays', message: 'must be from 1 to 365' }]);
    }
  });

  it('can do no more than the token in use', async () => {
    const ada = await service.person();
    const narrow = await service.token(ada.id, ['me:read', 'threads:read']);
    const refused = await create(narrow, { name: 'x', scopes: ['THREADS_READ', 'THREADS_WRITE', 'FEEDBACK_WRITE'] });
    expect(refused.problems).toEqual([
      { field: 'scopes', message: 'your own token lacks threads:write, feedback:write' },
    ]);
    const allowed = await create(narrow, { name: 'x', scopes: ['ME_READ', 'THREADS_READ', 'ME_READ'] });
    expect(allowed.accessToken.scopes).toEqual(['ME_READ', 'THREADS_READ']);
  });

  it('cannot outlive the token in use', async () => {
    const ada = await service.person();
    const short = await service.token(ada.id, scopes, new Date(Date.now() + 10 * dayMs));
    const problems = [{ field: 'expiresInDays', message: 'must not outlive your own token' }];
    expect((await create(short, { name: 'x', scopes: ['ME_READ'] })).problems).toEqual(problems);
    expect((await create(short, { name: 'x', scopes: ['ME_READ'], expiresInDays: 11 })).problems).toEqual(problems);
    expect((await create(short, { name: 'x', scopes: ['ME_READ'], expiresInDays: 9 })).secret).toBeDefined();
  });

  it('needs a scope, and a name that can be stored', async () => {
    const { token } = await service.person();
    expect((await create(token, { name: 'x', scopes: [] })).problems).toEqual([
      { field: 'scopes', message: 'must name at least one scope' },
    ]);
    for (const name of ['a\u0000b', 'x'.repeat(256)]) {
      expect((await create(token, { name, scopes: ['ME_READ'] })).problems).toMatchObject([{ field: 'name' }]);
    }
  });
});

describe('accessTokens', () => {
  it('lists one’s own tokens, the newest first, and never a secret', async () => {
    const [ada, bob] = [await service.person(), await service.person()];
    const made = await create(ada.token, { name: 'Script', scopes: ['ME_READ'] });
    const tokens = await list(ada.token);
    expect(tokens.map(({ name }) => name)).toEqual(['Script', 'test']);
    expect(JSON.stringify(tokens)).not.toContain(made.secret.slice(8, -6));
    expect((await list(bob.token)).map(({ name }) => name)).toEqual(['test']);
  });

  it('says when a token was last used', async () => {
    const ada = await service.person();
    const { secret, accessToken } = await create(ada.token, { name: 'Script', scopes: ['ME_READ'] });
    await service.client(secret).get('/me');
    const used = (await list(ada.token)).find(({ id }) => id === accessToken.id);
    expect(Math.abs(Date.now() - new Date(used?.lastUsedAt ?? 0).getTime())).toBeLessThan(60_000);
  });
});

describe('revokeAccessToken', () => {
  async function pair(granted: readonly Scope[] = scopes): Promise<{ ada: Person; secret: string; id: string }> {
    const ada = await service.person({ scopes: granted });
    const { secret, accessToken } = await create(ada.token, { name: 'Script', scopes: ['ME_READ'] });
    return { ada, secret, id: accessToken.id };
  }

  it('ends a token at once, on REST and on GraphQL', async () => {
    const { ada, secret, id } = await pair();
    expect((await service.client(secret).get('/me')).status).toBe(200);
    expect(await revoke(ada.token, id)).toMatchObject({ __typename: 'AccessToken', id, revokedAt: expect.any(String) });
    expect((await service.client(secret).get('/me')).status).toBe(401);
    expect((await client(secret).run('{ me { sub } }')).status).toBe(401);
    expect((await service.client(ada.token).get('/me')).status).toBe(200);
  });

  it('is the same when it is done twice', async () => {
    const { ada, id } = await pair();
    const { revokedAt } = await revoke(ada.token, id);
    expect(await revoke(ada.token, id)).toMatchObject({ __typename: 'AccessToken', revokedAt });
  });

  it('may end the token in use', async () => {
    const { secret, id } = await pair();
    expect(await revoke(secret, id)).toMatchObject({ __typename: 'AccessToken' });
    expect((await client(secret).run('{ me { sub } }')).status).toBe(401);
  });

  it('does not find the token of another user, and leaves it alive', async () => {
    const { secret, id } = await pair();
    const colleague = await service.person({ role: 'admin' });
    expect(await revoke(colleague.token, id)).toEqual({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
    expect(await revoke(colleague.token, 'tok_none')).toEqual({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
    expect((await service.client(secret).get('/me')).status).toBe(200);
  });
});
