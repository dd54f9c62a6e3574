/** Members of an organization: who sees them, who lets others in, and what an invitation is good for. */
import { describe, expect } from 'vitest';
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import { type Browser, browserOf, secretOf } from '../../auth/browser.js';
import { password, signedIn } from '../../auth/people.js';
import type { Data } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';

const it = serviceTest()
  .extend('admin', { scope: 'file', auto: true }, ({ service }) => service.person({ role: 'admin', name: 'Ada' }))
  .extend('member', { scope: 'file', auto: true }, ({ service }) => service.person({ name: null }))
  .extend('stranger', { scope: 'file', auto: true }, ({ service }) => service.person({ org: 'other', role: 'admin' }))
  .extend('administrator', { scope: 'file', auto: true }, ({ service, admin }) => signedIn(service, admin));

const refusal = '__typename ... on Error { code message }';
const invited = `${refusal} ... on InvitedMember { link expiresAt member { id name email role } }`;
const invite = `mutation ($input: InviteMemberInput!) { outcome: inviteMember(input: $input) { ${invited} } }`;
const renew = `mutation ($memberId: ID!) { outcome: renewSignInLink(memberId: $memberId) { ${invited} } }`;
const changeRole = `mutation ($input: ChangeMemberRoleInput!) {
  outcome: changeMemberRole(input: $input) { ${refusal} ... on Member { id role } } }`;

const remove = `mutation ($id: ID!) { outcome: removeMember(id: $id) { ${refusal} ... on Member { id } } }`;

type Query = typeof invite | typeof renew | typeof changeRole | typeof remove;

/** What a mutation came to, with the fields of the one that selects the most. */
async function run<Text extends Query>(browser: Browser, query: Text, variables: InputOf<Text>) {
  const data = await browser.graphql<string>(query, { ...variables });
  return (data as Data<typeof invite>).outcome;
}

describe('Query.members', () => {
  it('lists one’s own organization to all, with a token too', async ({ admin, member, stranger, administrator }) => {
    const everybody = '{ members { id name email role } }';
    const own = (id: string) => expect.objectContaining({ id });
    const seen = await member.graphql.run(everybody);
    expect(seen.body.data).toEqual({ members: expect.arrayContaining([own(admin.id), own(member.id)]) });
    expect(JSON.stringify(seen.body)).not.toContain(stranger.id);
    const { members } = await administrator.graphql(everybody);
    expect(members).toContainEqual({ id: member.id, name: null, email: member.email, role: 'MEMBER' });
  });

  it.for([
    ['a part of a name', 'LOVE', ['Ada Lovelace']],
    ['a part of an address', '@b_sh.test', ['Vannevar']],
    ['signs of patterns as they are', 'b%sh', []],
    ['an escape as it is', 'b\\_sh', []],
    ['nothing', '', ['Ada Lovelace', 'Bush', 'Vannevar']],
    ['somebody of another organization', 'Babbage', []],
    ['somebody who was removed', 'Removed', []],
  ] as const)('finds by %s', async ([_what, search, names], { service, database }) => {
    const org = `search-${performance.now()}`.replace('.', '-');
    const [ada, bush, vannevar, removed] = [
      await service.person({ org, name: 'Ada Lovelace' }),
      await service.person({ org, name: 'Bush' }),
      await service.person({ org, name: 'Vannevar' }),
      await service.person({ org, name: 'Removed' }),
    ];
    await service.person({ org: `${org}-other`, name: 'Babbage' });
    await database.user.update({ where: { id: vannevar.id }, data: { email: `${org}@b_sh.test` } });
    await database.user.update({ where: { id: bush.id }, data: { email: `${org}@bash.test` } });
    await database.user.update({ where: { id: removed.id }, data: { removedAt: new Date() } });
    const query = 'query ($search: String) { members(search: $search) { name } }';
    const { members } = await ada.graphql.data(query, { search });
    expect(members.map(({ name }) => name)).toEqual(names);
  });

  it.for([
    [1, ['Ada Lovelace']],
    [501, ['Ada Lovelace', 'Bush']],
    [null, ['Ada Lovelace', 'Bush']],
  ] as const)('lists at most %s, of those who joined first', async ([first, names], { service }) => {
    const org = `first-${performance.now()}`.replace('.', '-');
    const ada = await service.person({ org, name: 'Ada Lovelace' });
    await service.person({ org, name: 'Bush' });
    const { members } = await ada.graphql.data('query ($first: Int) { members(first: $first) { name } }', { first });
    expect(members.map(({ name }) => name)).toEqual(names);
  });

  it('refuses to list none', async ({ member }) => {
    const failure = await member.graphql.failure({ query: '{ members(first: 0) { id } }' });
    expect(failure.extensions?.code).toBe('INVALID_INPUT');
  });

  it('refuses a search that is too long', async ({ member }) => {
    const query = 'query ($search: String) { members(search: $search) { id } }';
    const failure = await member.graphql.failure({ query, variables: { search: 'a'.repeat(501) } });
    expect(failure.extensions?.code).toBe('INVALID_INPUT');
    expect(failure.message).toContain('search: must be at most 500 characters');
  });
});

describe('Mutation.inviteMember', () => {
  it('creates a member, and a link to sign in and choose a password', async ({ service, administrator }) => {
    const input = { email: ' New.One@Acme.test ', name: 'New One', role: 'MEMBER' } as const;
    const begunMs = Date.now();
    const { link, expiresAt, member: newMember } = await run(administrator, invite, { input });
    expect(newMember).toMatchObject({ email: 'new.one@acme.test', name: 'New One', role: 'MEMBER' });
    expect(link).toMatch(/^https:\/\/skein\.test\/auth\/link\?token=[\w-]{43}$/);
    const madeMs = Date.parse(expiresAt) - 24 * 3_600_000;
    expect(madeMs).toBeGreaterThanOrEqual(begunMs);
    expect(madeMs).toBeLessThanOrEqual(Date.now());
    const browser = browserOf(service);
    expect((await browser.submit('/auth/link', { token: secretOf(link), password })).status).toBe(303);
    expect(await browser.graphql('{ me { sub role organizationSlug } }')).toEqual({
      me: { sub: newMember.id, role: 'MEMBER', organizationSlug: 'acme' },
    });
    const again = await browserOf(service).post('/auth/sign-in/email', { email: newMember.email, password });
    expect(again.status).toBe(200);
  });

  type Email = (people: { member: Person; stranger: Person }) => string;
  it.for<[string, Email, string]>([
    ['an address that is none', () => 'no address', 'is not a valid e-mail address'],
    ['somebody who is here', ({ member }) => member.email.toUpperCase(), 'already has an account'],
    ['somebody of another organization', ({ stranger }) => stranger.email, 'already has an account'],
  ])('is InvalidInputError for %s', async ([_what, email, message], { administrator, member, stranger }) => {
    const outcome = await run(administrator, invite, { input: { email: email({ member, stranger }), role: 'MEMBER' } });
    expect(outcome).toMatchObject({ __typename: 'InvalidInputError', message: expect.stringContaining(message) });
  });

  it('accepts one of two concurrent invitations of the same person', async ({ administrator }) => {
    const input = { email: 'twice@acme.test', role: 'MEMBER' } as const;
    const both = await Promise.all([1, 2].map(() => run(administrator, invite, { input })));
    expect(both.map(({ __typename }) => __typename).sort()).toEqual(['InvalidInputError', 'InvitedMember']);
  });
});

describe('Mutation.renewSignInLink', () => {
  it('creates a link for a member, and invalidates the previous one', async ({ service, member, administrator }) => {
    const first = await run(administrator, renew, { memberId: member.id });
    const second = await run(administrator, renew, { memberId: member.id });
    const signIn = (link: string) => browserOf(service).post('/auth/sign-in/link', { token: secretOf(link) });
    expect((await signIn(first.link)).status).toBe(410);
    expect((await signIn(second.link)).status).toBe(200);
  });

  it('is NotFoundError for somebody of another organization', async ({ stranger, administrator }) => {
    const { __typename } = await run(administrator, renew, { memberId: stranger.id });
    expect(__typename).toBe('NotFoundError');
  });
});

describe('Mutation.changeMemberRole', () => {
  it('takes effect at once, even for existing sessions', async ({ service, administrator }) => {
    const bob = await service.person();
    const browser = await signedIn(service, bob);
    const role = '{ me { role } }';
    expect(await run(administrator, changeRole, { input: { id: bob.id, role: 'ADMIN' } })).toMatchObject({
      __typename: 'Member',
      role: 'ADMIN',
    });
    expect(await browser.graphql(role)).toEqual({ me: { role: 'ADMIN' } });
    await run(administrator, changeRole, { input: { id: bob.id, role: 'MEMBER' } });
    expect(await browser.graphql(role)).toEqual({ me: { role: 'MEMBER' } });
  });

  it('is refused for oneself, and NotFoundError for a stranger', async ({ admin, stranger, administrator }) => {
    const of = async (id: string) =>
      (await run(administrator, changeRole, { input: { id, role: 'MEMBER' } })).__typename;
    expect(await of(admin.id)).toBe('InvalidInputError');
    expect(await of(stranger.id)).toBe('NotFoundError');
  });
});

describe('Mutation.removeMember', () => {
  const everyone = '{ members { id } }';
  const passwordOf = (service: TestService, email: string) =>
    browserOf(service).post('/auth/sign-in/email', { email, password });

  it('ends sessions, tokens, password and links, and keeps messages', async ({ service, admin, administrator }) => {
    const bob = await service.person({ name: 'Bob' });
    const browser = await signedIn(service, bob, password);
    const { threadId } = await bob.rest.readyThread({ text: 'I was here' });
    const { link } = await run(administrator, renew, { memberId: bob.id });
    expect((await run(administrator, remove, { id: bob.id })).__typename).toBe('Member');
    expect((await browser.post('/graphql', { query: everyone })).status).toBe(401);
    expect((await bob.rest.get('/me')).status).toBe(401);
    expect((await passwordOf(service, bob.email)).status).toBe(401);
    expect((await browserOf(service).post('/auth/sign-in/link', { token: secretOf(link) })).status).toBe(410);
    expect(JSON.stringify(await administrator.graphql(everyone))).not.toContain(bob.id);
    expect((await admin.rest.get(`/threads/${threadId}`)).status).toBe(200);
    expect((await run(administrator, remove, { id: bob.id })).__typename).toBe('NotFoundError');
    expect((await run(administrator, renew, { memberId: bob.id })).__typename).toBe('NotFoundError');
  });

  it('can be undone by another invitation, with a new password, no old token', async ({ service, administrator }) => {
    const carol = await service.person();
    await run(administrator, remove, { id: carol.id });
    const again = await run(administrator, invite, { input: { email: carol.email, name: 'Carol', role: 'ADMIN' } });
    expect(again).toMatchObject({ __typename: 'InvitedMember', member: { id: carol.id, role: 'ADMIN' } });
    const { status } = await browserOf(service).post('/auth/sign-in/link', { token: secretOf(again.link), password });
    expect(status).toBe(200);
    expect((await passwordOf(service, carol.email)).status).toBe(200);
    expect((await carol.rest.get('/me')).status).toBe(401);
  });

  it('is not for oneself, and NotFoundError for another organization', async ({ admin, stranger, administrator }) => {
    expect((await run(administrator, remove, { id: admin.id })).__typename).toBe('InvalidInputError');
    expect((await run(administrator, remove, { id: stranger.id })).__typename).toBe('NotFoundError');
    expect((await stranger.rest.get('/me')).status).toBe(200);
  });
});

describe('what administrators do', () => {
  type Variables = (people: { admin: Person; member: Person }) => Record<string, unknown>;
  const operations: [string, string, Variables][] = [
    ['inviteMember', invite, () => ({ input: { email: 'sneaked@acme.test', role: 'ADMIN' } })],
    ['renewSignInLink', renew, ({ admin }) => ({ memberId: admin.id })],
    ['removeMember', remove, ({ member }) => ({ id: member.id })],
    ['changeMemberRole', changeRole, ({ member }) => ({ input: { id: member.id, role: 'ADMIN' } })],
  ];

  it.for(operations)(
    'is forbidden to members, and to a token of an administrator, whatever its scopes: %s',
    async ([_name, query, variables], { service, admin, member }) => {
      const asked = variables({ admin, member });
      const refusal = { outcome: { __typename: 'NotAdministratorError' } };
      expect(await (await signedIn(service, member)).graphql(query, asked)).toMatchObject(refusal);
      expect((await admin.graphql.run({ query, variables: asked })).body).toMatchObject({ data: refusal });
      expect(await service.database.user.count({ where: { email: 'sneaked@acme.test' } })).toBe(0);
    },
  );
});
