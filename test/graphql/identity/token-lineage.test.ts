/** What a token may do to other tokens, and that what it made ends with it. */
import { describe, expect, vi } from 'vitest';
import type { Prisma } from '../../../prisma/generated/client/client.js';
import { type Scope, scopes } from '../../../src/contract.js';
import type { Browser } from '../../auth/browser.js';
import { signedIn } from '../../auth/people.js';
import { overlapped } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type Person, patientStatements, type TestService } from '../../support/service.js';
import { createToken, revokeToken } from './access-token-operations.js';

const it = serviceTest({ settings: { statementLimits: patientStatements } });

const script = { name: 'Script', scopes: ['ME_READ', 'TOKENS_WRITE'], expiresInDays: 7 } as const;
const creation = 'mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { __typename } }';
const revocation = 'mutation ($id: ID!) { revokeAccessToken(id: $id) { __typename } }';

async function idOf(service: TestService, token: string): Promise<string> {
  const lastFour = token.slice(-4);
  const found = await service.database.accessToken.findFirstOrThrow({ where: { lastFour }, orderBy: { id: 'desc' } });
  return found.id;
}

async function lives(service: TestService, token: string): Promise<boolean> {
  return (await service.graphql(token).run('{ __typename }')).status === 200;
}

/** A token of the person, one that it made, and one that this made. */
async function family(service: TestService, person: Person, granted: readonly Scope[] = scopes) {
  const parent = await service.token(person.id, granted);
  const child = await createToken(service.graphql(parent), script);
  const grandchild = await createToken(service.graphql(child.secret), { ...script, expiresInDays: 6 });
  expect(await Promise.all([parent, child.secret, grandchild.secret].map((token) => lives(service, token)))).toEqual([
    true,
    true,
    true,
  ]);
  return { parent, child, grandchild };
}

describe('a token without tokens:write', () => {
  it('can neither make nor revoke one, with all other scopes', async ({ service }) => {
    const ada = await service.person();
    const others = scopes.filter((scope) => scope !== 'tokens:write');
    const graphql = service.graphql(await service.token(ada.id, others));
    const refusal = { extensions: { code: 'MISSING_SCOPE', requiredScope: 'tokens:write' } };
    const input = { ...script, scopes: ['ME_READ'] };
    expect(await graphql.failure({ query: creation, variables: { input } })).toMatchObject(refusal);
    const id = await idOf(service, ada.token);
    expect(await graphql.failure({ query: revocation, variables: { id } })).toMatchObject(refusal);
    expect(await lives(service, ada.token)).toBe(true);
    expect(await service.database.accessToken.count({ where: { userId: ada.id } })).toBe(2);
  });

  it('can revoke itself', async ({ service }) => {
    const ada = await service.person();
    const token = await service.token(ada.id, ['threads:read']);
    const { body } = await service
      .graphql(token)
      .run({ query: revocation, variables: { id: await idOf(service, token) } });
    expect(body).toEqual({ data: { revokeAccessToken: { __typename: 'AccessToken' } } });
    expect(await lives(service, token)).toBe(false);
  });
});

describe('a token with tokens:write', () => {
  it('revokes the tokens created with it, directly or indirectly, and no other', async ({ service }) => {
    const ada = await service.person();
    const { parent, child, grandchild } = await family(service, ada);
    const sibling = await service.token(ada.id, ['me:read']);
    for (const other of [ada.token, sibling, parent]) {
      expect(await revokeToken(service.graphql(child.secret), await idOf(service, other))).toMatchObject({
        __typename: 'NotFoundError',
      });
      expect(await lives(service, other)).toBe(true);
    }
    expect(await revokeToken(service.graphql(parent), grandchild.accessToken.id)).toMatchObject({
      id: grandchild.accessToken.id,
    });
    expect(await Promise.all([parent, child.secret, grandchild.secret].map((token) => lives(service, token)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('a token created with another one', () => {
  type End = (made: { service: TestService; parent: string; browser: Browser }) => Promise<unknown>;
  const change = async (service: TestService, token: string, data: { revokedAt: Date } | { expiresAt: Date }) =>
    service.database.accessToken.update({ where: { id: await idOf(service, token) }, data });
  it.for<[string, End]>([
    [
      'is revoked in a browser',
      async ({ service, parent, browser }) => browser.graphql(revocation, { id: await idOf(service, parent) }),
    ],
    ['revokes itself', async ({ service, parent: it }) => revokeToken(service.graphql(it), await idOf(service, it))],
    ['is revoked by the operator', ({ service, parent }) => change(service, parent, { revokedAt: new Date() })],
    ['is given an earlier end', ({ service, parent }) => change(service, parent, { expiresAt: new Date() })],
  ])('ends with it, however many tokens lie between, when it %s', async ([_how, end], { service }) => {
    const ada = await service.person();
    const { parent, child, grandchild } = await family(service, ada);
    await end({ service, parent, browser: await signedIn(service, ada) });
    // What a process remembers of a token ends with a notification, within a second.
    await vi.waitFor(async () => {
      const living = await Promise.all([parent, child.secret, grandchild.secret].map((token) => lives(service, token)));
      expect(living).toEqual([false, false, false]);
    }, 10_000);
    expect(await lives(service, ada.token)).toBe(true);
  });

  it('cannot be created with a token that is revoked at the same moment', async ({ service, database }) => {
    const ada = await service.person();
    const parent = await service.token(ada.id, scopes);
    const id = await idOf(service, parent);
    // Its first use is recorded, which would wait for the row as well.
    expect(await lives(service, parent)).toBe(true);
    const [made] = await overlapped(
      database,
      { lock: ({ accessToken }) => accessToken.update({ where: { id }, data: { revokedAt: new Date() } }) },
      () => service.graphql(parent).run({ query: creation, variables: { input: script } }),
    );
    expect(made?.body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(await database.accessToken.count({ where: { parentId: id } })).toBe(0);
  });

  it('is rejected by the database if it could do more, live longer or belong to another', async ({ service }) => {
    const [ada, bob] = [await service.person(), await service.person()];
    const parentId = await idOf(service, await service.token(ada.id, ['me:read'], new Date(Date.now() + 1_000_000)));
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
      return service.database.accessToken.create({ data: { ...fitting, id, digest: Buffer.from(id), ...changed } });
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

  it('keeps nothing created at that moment, not even when invited again', async ({ service, database }) => {
    const admin = await signedIn(service, await service.person({ role: 'admin' }));
    const bob = await service.person();
    const browser = await signedIn(service, bob);
    // The token is stored, and not yet committed, when the removal begins.
    const lock = async (other: Prisma.TransactionClient) => {
      const data = { id: 'tok_late', userId: bob.id, name: 'late', lastFour: 'late', digest: Buffer.from('late') };
      await other.accessToken.create({ data });
      const session = { id: 'ses_late', userId: bob.id, token: 'a'.repeat(64), expiresAt: new Date(Date.now() + 1e6) };
      await other.session.create({ data: session });
    };
    const removed = await overlapped(database, { lock }, () => admin.graphql(remove, { id: bob.id }));
    expect(removed).toEqual([{ outcome: { __typename: 'Member' } }]);
    expect(await admin.graphql(invite, { email: bob.email })).toEqual({ outcome: { __typename: 'InvitedMember' } });
    const living = { where: { userId: bob.id, revokedAt: null } };
    expect(await database.accessToken.count(living)).toBe(0);
    expect(await database.session.count({ where: { userId: bob.id } })).toBe(0);
    expect((await browser.post('/graphql', { query: '{ me { sub } }' })).status).toBe(401);
  });

  it('can create nothing while the removal holds the lock', async ({ service, database }) => {
    const carol = await service.person();
    const browser = await signedIn(service, carol);
    const [made] = await overlapped(
      database,
      { lock: ({ user }) => user.update({ where: { id: carol.id }, data: { removedAt: new Date() } }) },
      () => browser.post('/graphql', { query: creation, variables: { input: script } }),
    );
    expect(made?.body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(await database.accessToken.count({ where: { userId: carol.id, revokedAt: null } })).toBe(0);
  });
});
