/** What a token may do to other tokens, and that what it made ends with it. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Scope, scopes } from '../../../src/modules/identity/scopes.js';
import { type Browser, browserOf } from '../../auth/browser.js';
import { signedIn } from '../../auth/people.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { holding, waitingStatements } from '../../support/database/waiting-statements.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { createToken, listTokens, revokeToken } from './access-token-operations.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

function client(token: string): GraphQLClient {
  return new GraphQLClient({ origin: service.url, token });
}

const script = { name: 'Script', scopes: ['ME_READ', 'TOKENS_WRITE'], expiresInDays: 7 } as const;
const creation = 'mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { __typename } }';
const revocation = 'mutation ($id: ID!) { revokeAccessToken(id: $id) { __typename } }';

async function idOf(token: string): Promise<string> {
  const lastFour = token.slice(-4);
  const found = await service.service.database.accessToken.findFirstOrThrow({
    where: { lastFour },
    orderBy: { id: 'desc' },
  });
  return found.id;
}

async function lives(token: string): Promise<boolean> {
  return (await client(token).run('{ __typename }')).status === 200;
}

/** A token of the person, one that it made, and one that this made. */
async function family(person: Person, granted: readonly Scope[] = scopes) {
  const parent = await service.token(person.id, granted);
  const child = await createToken(client(parent), script);
  const grandchild = await createToken(client(child.secret), { ...script, expiresInDays: 6 });
  expect(await Promise.all([parent, child.secret, grandchild.secret].map(lives))).toEqual([true, true, true]);
  return { parent, child, grandchild };
}

describe('a token without tokens:write', () => {
  it.each(scopes.filter((scope) => scope !== 'tokens:write'))('can neither make nor revoke one: %s', async (scope) => {
    const ada = await service.person();
    const graphql = client(await service.token(ada.id, [scope]));
    const refusal = { extensions: { code: 'MISSING_SCOPE', requiredScope: 'tokens:write' } };
    const input = { ...script, scopes: ['ME_READ'] };
    expect(await graphql.failure({ query: creation, variables: { input } })).toMatchObject(refusal);
    const id = await idOf(ada.token);
    expect(await graphql.failure({ query: revocation, variables: { id } })).toMatchObject(refusal);
    expect(await lives(ada.token)).toBe(true);
    expect(await service.service.database.accessToken.count({ where: { userId: ada.id } })).toBe(2);
  });

  it('can revoke itself', async () => {
    const ada = await service.person();
    const token = await service.token(ada.id, ['threads:read']);
    const { body } = await client(token).run({ query: revocation, variables: { id: await idOf(token) } });
    expect(body).toEqual({ data: { revokeAccessToken: { __typename: 'AccessToken' } } });
    expect(await lives(token)).toBe(false);
  });
});

describe('a token with tokens:write', () => {
  it('revokes the tokens created with it, directly or indirectly, and no other', async () => {
    const ada = await service.person();
    const { parent, child, grandchild } = await family(ada);
    const sibling = await service.token(ada.id, ['me:read']);
    for (const other of [ada.token, sibling, parent]) {
      expect(await revokeToken(client(child.secret), await idOf(other))).toMatchObject({ __typename: 'NotFoundError' });
      expect(await lives(other)).toBe(true);
    }
    expect(await revokeToken(client(parent), grandchild.accessToken.id)).toMatchObject({
      id: grandchild.accessToken.id,
    });
    expect(await Promise.all([parent, child.secret, grandchild.secret].map(lives))).toEqual([true, true, false]);
  });
});

describe('a token created with another one', () => {
  type End = (parent: string, browser: Browser, person: Person) => Promise<unknown>;
  it.each<[string, End]>([
    ['is revoked in a browser', async (parent, browser) => browser.graphql(revocation, { id: await idOf(parent) })],
    ['revokes itself', async (parent) => revokeToken(client(parent), await idOf(parent))],
    [
      'is revoked by the operator',
      async (parent) =>
        service.service.database.accessToken.updateMany({
          where: { id: await idOf(parent) },
          data: { revokedAt: new Date() },
        }),
    ],
    [
      'is given an earlier end',
      async (parent) =>
        service.service.database.accessToken.update({
          where: { id: await idOf(parent) },
          data: { expiresAt: new Date() },
        }),
    ],
  ])('ends with it, however many tokens lie between, when it %s', async (_how, end) => {
    const ada = await service.person();
    const { parent, child, grandchild } = await family(ada);
    await end(parent, await signedIn(service, ada), ada);
    expect(await Promise.all([parent, child.secret, grandchild.secret].map(lives))).toEqual([false, false, false]);
    expect(await lives(ada.token)).toBe(true);
  });

  it('expires no later than its parent', async () => {
    const ada = await service.person();
    const short = await service.token(ada.id, scopes, new Date(Date.now() + 10 * 86_400_000));
    const child = await createToken(client(short), script);
    expect((await createToken(client(child.secret), { ...script, expiresInDays: 8 })).problems).toMatchObject([
      { field: 'expiresInDays' },
    ]);
  });

  it('cannot be created with a token that is revoked at the same moment', async () => {
    const ada = await service.person();
    const parent = await service.token(ada.id, scopes);
    const id = await idOf(parent);
    // Its first use is recorded, which would wait for the row as well.
    expect(await lives(parent)).toBe(true);
    const { database } = service.service;
    const held = await database.$transaction(async (transaction) => {
      await transaction.accessToken.update({ where: { id }, data: { revokedAt: new Date() } });
      const made = client(parent).run({ query: creation, variables: { input: script } });
      await vi.waitFor(async () => expect(await waitingStatements(database)).toBe(1), { timeout: 4500, interval: 20 });
      return { made };
    }, holding);
    expect((await held.made).body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(await database.accessToken.count({ where: { parentId: id } })).toBe(0);
  });

  it('is rejected by the database itself if it could do more, live longer or belong to another', async () => {
    const [ada, bob] = [await service.person(), await service.person()];
    const parentId = await idOf(await service.token(ada.id, ['me:read'], new Date(Date.now() + 1_000_000)));
    const { database } = service.service;
    const fitting = {
      userId: ada.id,
      name: 'x',
      lastFour: 'xxxx',
      scopes: ['me:read'],
      expiresAt: new Date(),
      parentId,
    };
    const make = (changed: object) => {
      const id = `tok_${crypto.randomUUID()}`;
      return database.accessToken.create({ data: { ...fitting, id, digest: Buffer.from(id), ...changed } });
    };
    await make({});
    for (const changed of [
      { scopes: ['me:read', 'threads:read'] },
      { expiresAt: null },
      { expiresAt: new Date(Date.now() + 2_000_000) },
      { userId: bob.id },
    ]) {
      await expect(make(changed), JSON.stringify(changed)).rejects.toThrow(/cannot make such a token/);
    }
  });
});

describe('a member who is removed', () => {
  const remove = 'mutation ($id: ID!) { outcome: removeMember(id: $id) { __typename } }';
  const invite = `mutation ($email: String!) {
    outcome: inviteMember(input: {email: $email, role: MEMBER}) { __typename } }`;

  it('keeps nothing created at that moment, not even when invited again', async () => {
    const admin = await signedIn(service, await service.person({ role: 'admin' }));
    const bob = await service.person();
    const browser = await signedIn(service, bob);
    const { database } = service.service;
    // The token is stored, and not yet committed, when the removal begins.
    const held = await database.$transaction(async (transaction) => {
      const data = { id: 'tok_late', userId: bob.id, name: 'late', lastFour: 'late', digest: Buffer.from('late') };
      await transaction.accessToken.create({ data });
      const session = { id: 'ses_late', userId: bob.id, token: 'a'.repeat(64), expiresAt: new Date(Date.now() + 1e6) };
      await transaction.session.create({ data: session });
      const removal = admin.graphql(remove, { id: bob.id });
      await vi.waitFor(async () => expect(await waitingStatements(database)).toBe(1), { timeout: 4500, interval: 20 });
      return { removal };
    }, holding);
    expect(await held.removal).toEqual({ outcome: { __typename: 'Member' } });
    expect(await admin.graphql(invite, { email: bob.email })).toEqual({ outcome: { __typename: 'InvitedMember' } });
    const living = { where: { userId: bob.id, revokedAt: null } };
    expect(await database.accessToken.count(living)).toBe(0);
    expect(await database.session.count({ where: { userId: bob.id } })).toBe(0);
    expect((await browser.post('/graphql', { query: '{ me { sub } }' })).status).toBe(401);
  });

  it('can create nothing while the removal holds the lock', async () => {
    const carol = await service.person();
    const browser = await signedIn(service, carol);
    const { database } = service.service;
    const held = await database.$transaction(async (transaction) => {
      await transaction.user.update({ where: { id: carol.id }, data: { removedAt: new Date() } });
      const made = browser.post('/graphql', { query: creation, variables: { input: script } });
      await vi.waitFor(async () => expect(await waitingStatements(database)).toBe(1), { timeout: 4500, interval: 20 });
      return { made };
    }, holding);
    expect((await held.made).body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(await database.accessToken.count({ where: { userId: carol.id, revokedAt: null } })).toBe(0);
  });
});

describe('the web application', () => {
  it('creates and revokes tokens with its session, and sees those created with tokens', async () => {
    const ada = await service.person();
    const { child } = await family(ada);
    const browser = await signedIn(service, ada);
    expect(await browser.graphql(creation, { input: { ...script, scopes: ['THREADS_READ'] } })).toEqual({
      createAccessToken: { __typename: 'CreatedAccessToken' },
    });
    expect((await listTokens(client(ada.token))).map(({ id }) => id)).toContain(child.accessToken.id);
    expect(await browser.graphql(revocation, { id: child.accessToken.id })).toEqual({
      revokeAccessToken: { __typename: 'AccessToken' },
    });
    expect(await lives(child.secret)).toBe(false);
    expect((await browserOf(service).get('/auth/get-session')).body).toBeNull();
  });
});
