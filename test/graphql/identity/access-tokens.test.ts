/**
 * Personal access tokens through the graph: what a new one can do, that nobody sees its secret again, and that one that is revoked
 * ends at once and everywhere.
 */
import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { scopes } from '../../../src/contract.js';
import { createId } from '../../../src/ids.js';
import { signedIn } from '../../auth/people.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { createToken, listTokens, revokeToken } from './access-token-operations.js';

const dayMs = 86_400_000;

/** Checks that it is so many days after a moment since `begunMs`. */
function expectDaysSince(begunMs: number, days: number, moment: string | null | undefined): void {
  const fromMs = Date.parse(moment ?? '') - days * dayMs;
  expect(fromMs).toBeGreaterThanOrEqual(begunMs);
  expect(fromMs).toBeLessThanOrEqual(Date.now());
}

const ended = (index: number) => (index % 2 ? { revokedAt: new Date() } : { expiresAt: new Date(Date.now() - 1000) });

/** Stores so many tokens of somebody, and gives their ids. */
async function storeTokens(
  { database }: TestService,
  { id: userId }: Person,
  count: number,
  end: (index: number) => object = () => ({}),
): Promise<string[]> {
  const data = Array.from({ length: count }, (_, index) => {
    const id = createId('tok');
    const digest = createHash('sha256').update(id).digest();
    return { id, digest, userId, name: 'Ended', lastFour: 'xxxx', scopes: [], ...end(index) };
  });
  await database.accessToken.createMany({ data });
  return data.map(({ id }) => id);
}

describe('createAccessToken', () => {
  it('shows a secret that works on REST and GraphQL, with the scopes that were asked for', async ({ service }) => {
    const ada = await service.person();
    const begunMs = Date.now();
    const { secret, accessToken } = await createToken(ada.graphql, {
      name: 'Script',
      scopes: ['ME_READ'],
      expiresInDays: 7,
    });
    expect(secret).toMatch(/^skn_pat_[0-9A-Za-z]{36}$/);
    expect(accessToken).toMatchObject({
      ...{ name: 'Script', scopes: ['ME_READ'], lastFour: secret.slice(-4), lastUsedAt: null, revokedAt: null },
    });
    expectDaysSince(begunMs, 7, accessToken.expiresAt);
    expect((await service.client(secret).get('/me')).status).toBe(200);
    expect((await service.client(secret).get('/threads')).status).toBe(403);
    expect(await service.graphql(secret).data('{ me { sub } }')).toEqual({ me: { sub: ada.id } });
  });

  it('is refused to a user with 200 active tokens until one is revoked', async ({ service, database }) => {
    const ada = await service.person();
    await storeTokens(service, ada, 10, ended);
    await storeTokens(service, ada, 198);
    const input = { name: 'Script', scopes: ['ME_READ'] } as const;
    const { accessToken } = await createToken(ada.graphql, input);
    const refused = await createToken(ada.graphql, input);
    expect(refused).toMatchObject({ __typename: 'InvalidInputError', problems: [{ field: 'name' }] });
    expect(refused.problems[0]?.message).toMatch(/revoke one/);
    expect(await database.accessToken.count({ where: { userId: ada.id, revokedAt: null } })).toBe(205);
    await database.accessToken.update({ where: { id: accessToken.id }, data: { revokedAt: new Date() } });
    expect((await createToken(ada.graphql, input)).__typename).toBe('CreatedAccessToken');
  });

  it('leaves nothing but the digest and the last four characters in the database', async ({ service }) => {
    const ada = await service.person();
    const { secret, accessToken } = await createToken(ada.graphql, { name: 'Script', scopes: ['ME_READ'] });
    const [row] = await service.database.$queryRaw<{ digest: Uint8Array; text: string }[]>`
      SELECT digest, to_jsonb(k)::text AS text FROM access_token k WHERE id = ${accessToken.id}`;
    expect(Buffer.from(row?.digest ?? []).toString('hex')).toBe(createHash('sha256').update(secret).digest('hex'));
    expect(row?.text).toContain(`"last_four": "${secret.slice(-4)}"`);
    for (const part of [secret.slice(0, -4), secret.slice(8, -6), secret.slice(-12)])
      expect(row?.text).not.toContain(part);
    expect(service.log.join('')).not.toContain(secret.slice(8, -6));
  });

  it('lives 90 days by default, and at most a year', async ({ service }) => {
    const ada = await service.person();
    for (const [expiresInDays, days] of [
      [undefined, 90],
      [null, 90],
      [365, 365],
    ] as const) {
      const begunMs = Date.now();
      const input = { name: 'x', scopes: ['ME_READ'], expiresInDays } as const;
      const { accessToken } = await createToken(ada.graphql, input);
      expectDaysSince(begunMs, days, accessToken.expiresAt);
    }
    for (const expiresInDays of [0, -1, 366, 2_000_000_000]) {
      const { problems } = await createToken(ada.graphql, { name: 'x', scopes: ['ME_READ'], expiresInDays });
      expect(problems).toEqual([{ field: 'expiresInDays', message: 'must be from 1 to 365' }]);
    }
  });

  it('can do no more than the token in use', async ({ service }) => {
    const ada = await service.person();
    const narrow = await service.token(ada.id, ['me:read', 'threads:read', 'tokens:write']);
    const refused = await createToken(service.graphql(narrow), {
      name: 'x',
      scopes: ['THREADS_READ', 'THREADS_WRITE', 'FEEDBACK_WRITE'],
    });
    expect(refused.problems).toEqual([
      { field: 'scopes', message: 'your own token does not have threads:write, feedback:write' },
    ]);
    const allowed = await createToken(service.graphql(narrow), {
      name: 'x',
      scopes: ['ME_READ', 'THREADS_READ', 'ME_READ'],
    });
    expect(allowed.accessToken.scopes).toEqual(['ME_READ', 'THREADS_READ']);
  });

  it('cannot outlive the token in use', async ({ service }) => {
    const ada = await service.person();
    const expiresAt = new Date(Date.now() + 10 * dayMs);
    const short = await service.token(ada.id, scopes, expiresAt);
    const problems = [{ field: 'expiresInDays', message: 'must not be later than the expiry of your own token' }];
    expect((await createToken(service.graphql(short), { name: 'x', scopes: ['ME_READ'] })).accessToken.expiresAt).toBe(
      expiresAt.toISOString(),
    );
    expect(
      (await createToken(service.graphql(short), { name: 'x', scopes: ['ME_READ'], expiresInDays: 11 })).problems,
    ).toEqual(problems);
    expect(
      (await createToken(service.graphql(short), { name: 'x', scopes: ['ME_READ'], expiresInDays: 9 })).secret,
    ).toBeDefined();
  });

  it('needs a scope, and a name that can be stored', async ({ service }) => {
    const { token } = await service.person();
    expect((await createToken(service.graphql(token), { name: 'x', scopes: [] })).problems).toEqual([
      { field: 'scopes', message: 'must name at least one scope' },
    ]);
    for (const name of ['a\u0000b', 'x'.repeat(256), '', ' \t']) {
      expect((await createToken(service.graphql(token), { name, scopes: ['ME_READ'] })).problems).toMatchObject([
        { field: 'name' },
      ]);
    }
  });
});

describe('accessTokens', () => {
  it('lists one’s own tokens, the newest first, and never a secret', async ({ service }) => {
    const [ada, bob] = [await service.person(), await service.person()];
    const made = await createToken(ada.graphql, { name: 'Script', scopes: ['ME_READ'] });
    const tokens = await listTokens(ada.graphql);
    expect(tokens.map(({ name }) => name)).toEqual(['Script', 'test']);
    expect(JSON.stringify(tokens)).not.toContain(made.secret.slice(8, -6));
    expect((await listTokens(bob.graphql)).map(({ name }) => name)).toEqual(['test']);
  });

  it('lists active tokens first, however many newer ones have ended', async ({ service }) => {
    const ada = await service.person();
    const { accessToken } = await createToken(ada.graphql, { name: 'Old', scopes: ['ME_READ'] });
    const ids = await storeTokens(service, ada, 201, ended);
    const listed = await listTokens(ada.graphql);
    expect(listed).toHaveLength(200);
    expect(listed[0]?.id).toBe(accessToken.id);
    expect(listed.slice(0, 3).map(({ name }) => name === 'Ended')).toEqual([false, false, true]);
    expect(listed[2]?.id).toBe(ids.at(-1));
  });

  it('says when a token was last used', async ({ service }) => {
    const ada = await service.person();
    const { secret, accessToken } = await createToken(ada.graphql, { name: 'Script', scopes: ['ME_READ'] });
    const begunMs = Date.now();
    await service.client(secret).get('/me');
    const lastUse = async () => (await listTokens(ada.graphql)).find(({ id }) => id === accessToken.id)?.lastUsedAt;
    // No request waits for it to be recorded.
    await expect.poll(lastUse).not.toBeNull();
    expectDaysSince(begunMs, 0, await lastUse());
  });
});

describe('revokeAccessToken', () => {
  async function pair(service: TestService): Promise<{ ada: Person; secret: string; id: string }> {
    const ada = await service.person();
    const { secret, accessToken } = await createToken(ada.graphql, { name: 'Script', scopes: ['ME_READ'] });
    return { ada, secret, id: accessToken.id };
  }

  it('ends a token at once, on REST and on GraphQL', async ({ service }) => {
    const { ada, secret, id } = await pair(service);
    expect((await service.client(secret).get('/me')).status).toBe(200);
    expect(await revokeToken(ada.graphql, id)).toMatchObject({
      __typename: 'AccessToken',
      id,
      revokedAt: expect.any(String),
    });
    expect((await service.client(secret).get('/me')).status).toBe(401);
    expect((await service.graphql(secret).run('{ me { sub } }')).status).toBe(401);
    expect((await service.client(ada.token).get('/me')).status).toBe(200);
  });

  it('is idempotent', async ({ service }) => {
    const { ada, id } = await pair(service);
    const { revokedAt } = await revokeToken(ada.graphql, id);
    expect(await revokeToken(ada.graphql, id)).toMatchObject({ __typename: 'AccessToken', revokedAt });
  });

  it('does not find the token of another user for a session, and leaves it alive', async ({ service }) => {
    const { secret, id } = await pair(service);
    const browser = await signedIn(service, await service.person({ role: 'admin' }));
    const revocation = 'mutation ($id: ID!) { outcome: revokeAccessToken(id: $id) { __typename } }';
    expect(await browser.graphql(revocation, { id })).toEqual({ outcome: { __typename: 'NotFoundError' } });
    expect((await service.client(secret).get('/me')).status).toBe(200);
  });
});
