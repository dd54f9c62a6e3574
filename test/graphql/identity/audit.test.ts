/** The audit log: who did what to whose access, in the same transaction as the act, and who may read it. */
import { describe, expect } from 'vitest';
import { type Browser, browserOf } from '../../auth/browser.js';
import { linkSecret, password, signedIn } from '../../auth/people.js';
import { command } from '../../cli/command.js';
import type { Data } from '../../support/clients/graphql-client.js';
import { serviceAlone } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';

let organizations = 0;

const it = serviceAlone({})
  .extend('ada', async ({ service }) => {
    organizations += 1;
    return service.person({ org: `audited-${organizations}`, role: 'admin', name: 'Ada' });
  })
  .extend('browser', ({ service, ada }) => signedIn(service, ada));

const log = `query ($first: Int, $after: String) { auditEvents(first: $first, after: $after) {
  edges { cursor node { at act actorKind actorId subjectId targetId } } pageInfo { hasNextPage endCursor } } }`;

type Event = Data<typeof log>['auditEvents']['edges'][number]['node'];

/** The acts since `before` events, the oldest first, as an administrator reads them. */
async function eventsIn(browser: Browser, before = 0): Promise<Event[]> {
  const { auditEvents } = await browser.graphql(log, { first: 200 });
  return auditEvents.edges
    .map(({ node }) => node)
    .toReversed()
    .slice(before);
}

async function acting(browser: Browser, act: () => Promise<unknown>): Promise<Omit<Event, 'at'>[]> {
  const before = (await eventsIn(browser)).length;
  await act();
  return (await eventsIn(browser, before)).map(({ at: _, ...event }) => event);
}

const byUser = ({ id }: Person) => ({ actorKind: 'USER', actorId: id });

describe('Query.auditEvents', () => {
  it('names who signed in and out, with the session', async ({ service, ada }) => {
    const browser = await signedIn(service, ada, password);
    const other = browserOf(service);
    const events = await acting(browser, async () => {
      await other.post('/auth/sign-in/email', { email: ada.email, password });
      await other.post('/auth/sign-out');
    });
    const session = { ...byUser(ada), subjectId: ada.id, targetId: expect.stringMatching(/^ses_/) };
    expect(events).toEqual([
      { act: 'SIGNED_IN', ...session },
      { act: 'SIGNED_OUT', ...session },
    ]);
  });

  it('names whose password was set with a link, changed by them, and set by the operator', async ({ service, ada }) => {
    const browser = await signedIn(service, ada);
    const changed = await acting(browser, async () => {
      await browser.post('/auth/sign-in/link', { token: await linkSecret(service, ada), password });
      const passwords = { currentPassword: password, newPassword: `${password} two` };
      expect((await browser.post('/auth/change-password', passwords)).status).toBe(200);
      const wrong = await browser.post('/auth/change-password', passwords);
      expect(wrong.status).toBe(400);
      // What an operator does to an account, by whatever means; the same password again is no change.
      const of = `WHERE user_id = '${ada.id}'`;
      await service.sql(`UPDATE account SET password = password ${of}`);
      await service.sql(`UPDATE account SET password = 'x' ${of}`);
    });
    const own = { act: 'PASSWORD_CHANGED', subjectId: ada.id, targetId: null };
    expect(changed.filter(({ act }) => act === 'PASSWORD_CHANGED')).toEqual([
      { ...own, ...byUser(ada) },
      { ...own, ...byUser(ada) },
      { ...own, actorKind: 'COMMAND_LINE', actorId: null },
    ]);
  });

  it('names who created and revoked a token', async ({ ada, browser }) => {
    let id = '';
    const events = await acting(browser, async () => {
      const { createAccessToken: made } = await browser.graphql(
        `mutation { createAccessToken(input: {name: "x", scopes: [ME_READ]}) { ... on CreatedAccessToken { accessToken { id } } } }`,
      );
      id = made.accessToken.id;
      await browser.graphql('mutation ($id: ID!) { revokeAccessToken(id: $id) { __typename } }', { id });
      // A second time, it has no effect.
      await browser.graphql('mutation ($id: ID!) { revokeAccessToken(id: $id) { __typename } }', { id });
    });
    const token = { ...byUser(ada), subjectId: ada.id, targetId: id };
    expect(events).toEqual([
      { act: 'TOKEN_CREATED', ...token },
      { act: 'TOKEN_REVOKED', ...token },
    ]);
  });

  it('names who invited, changed and removed a member, and what ended with them', async ({ service, ada, browser }) => {
    const email = `bob-${organizations}@acme.test`;
    let id = '';
    const events = await acting(browser, async () => {
      const { inviteMember } = await browser.graphql(
        `mutation ($email: String!) { inviteMember(input: {email: $email, role: MEMBER}) { ... on InvitedMember { member { id } } } }`,
        { email },
      );
      id = inviteMember.member.id;
      await browser.graphql('mutation ($id: ID!) { renewSignInLink(memberId: $id) { __typename } }', { id });
      await browser.graphql('mutation ($id: ID!) { changeMemberRole(input: {id: $id, role: ADMIN}) { __typename } }', {
        id,
      });
      await signedIn(service, { id });
      await browser.graphql('mutation ($id: ID!) { removeMember(id: $id) { __typename } }', { id });
    });
    const bob = { ...byUser(ada), subjectId: id };
    const link = { act: 'SIGN_IN_LINK_CREATED', targetId: null };
    const session = { targetId: expect.stringMatching(/^ses_/) };
    const removal = [
      { act: 'MEMBER_REMOVED', ...bob, targetId: null },
      { act: 'SIGNED_OUT', ...bob, ...session },
    ];
    expect(events.slice(0, 6)).toEqual([
      { act: 'MEMBER_ADDED', ...bob, targetId: null },
      { ...link, ...bob },
      { ...link, ...bob },
      { act: 'ROLE_CHANGED', ...bob, targetId: 'admin' },
      // The test made it without a user.
      { ...link, actorKind: 'SERVICE', actorId: null, subjectId: id },
      { act: 'SIGNED_IN', actorKind: 'USER', actorId: id, subjectId: id, ...session },
    ]);
    expect(events.slice(6)).toEqual(expect.arrayContaining(removal));
    expect(events).toHaveLength(6 + removal.length);
  });

  it('has nothing of what was refused', async ({ service, ada, browser }) => {
    const events = await acting(browser, async () => {
      await browserOf(service).post('/auth/sign-in/email', { email: ada.email, password: 'wrong password' });
      const invite = `mutation { inviteMember(input: {email: "no address", role: MEMBER}) { __typename } }`;
      await browser.graphql(invite);
      await browser.graphql(`mutation ($id: ID!) { removeMember(id: $id) { __typename } }`, { id: ada.id });
    });
    expect(events).toEqual([]);
  });

  it('is paged, newest first, without gap or repeat', async ({ service, ada, browser }) => {
    for (let made = 0; made < 5; made += 1) await service.token(ada.id, ['me:read']);
    const whole = (await browser.graphql(log, { first: 200 })).auditEvents.edges;
    const walked: typeof whole = [];
    let after: string | null = null;
    do {
      const { edges, pageInfo }: Data<typeof log>['auditEvents'] = (await browser.graphql(log, { first: 2, after }))
        .auditEvents;
      walked.push(...edges);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(walked).toEqual(whole);
    expect(whole.length).toBeGreaterThan(6);
    const times = whole.map(({ node }) => node.at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('refuses a cursor that is none', async ({ browser }) => {
    await expect(browser.graphql(log, { after: 'x' })).rejects.toThrow('INVALID_CURSOR');
  });

  it('is for administrators at a browser, and shows nothing of another organization', async ({ service, ada }) => {
    const member = await service.person({ org: `audited-${organizations}` });
    const stranger = await service.person({ org: 'audited-strangers', role: 'admin' });
    await expect((await signedIn(service, member)).graphql(log, {})).rejects.toThrow('NOT_ADMINISTRATOR');
    const withToken = await ada.graphql.run(log);
    expect(withToken.body.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_ADMINISTRATOR' });
    expect(JSON.stringify(await eventsIn(await signedIn(service, stranger)))).not.toContain(ada.id);
  });

  it('gives an entry by its id to an administrator of the organization alone', async ({ service, ada, browser }) => {
    const { auditEvents } = await browser.graphql('{ auditEvents(first: 1) { edges { node { id act } } } }');
    const [node] = auditEvents.edges.map((edge) => edge.node);
    const find = 'query ($id: ID!) { node(id: $id) { id ... on AuditEvent { act } } }';
    const id = node?.id ?? '';
    expect(await browser.graphql(find, { id })).toEqual({ node });
    const stranger = await service.person({ org: 'audited-strangers', role: 'admin' });
    expect(await (await signedIn(service, stranger)).graphql(find, { id })).toEqual({ node: null });
    const withToken = await ada.graphql.run({ query: find, variables: { id } });
    expect(withToken.body).toEqual({ data: { node: null } });
  });

  it('holds no secret, address or name', async ({ service, ada }) => {
    const browser = await signedIn(service, ada, password);
    expect((await eventsIn(browser)).length).toBeGreaterThan(3);
    const rows = await service.sql('SELECT audit_event::text AS row FROM audit_event');
    expect(JSON.stringify(rows)).not.toMatch(/skn_pat|@|Ada|correct horse/);
  });
});

it('an act that is rolled back is not in the log', async ({ service, ada, browser }) => {
  const events = await acting(browser, () =>
    service.sql(`BEGIN; UPDATE user_account SET role = 'member' WHERE id = '${ada.id}'; ROLLBACK`),
  );
  expect(events).toEqual([]);
});

describe('skein audit', () => {
  const run = (service: TestService, ...words: string[]) => command(words, { DATABASE_URL: service.storage.url });

  it('prints the newest first, and names the command line as who acted there', async ({ service, ada }) => {
    const org = `audited-${organizations}`;
    await run(service, 'token', 'create', '--email', ada.email);
    const { stdout, status } = await run(service, 'audit', '--org', org, '--limit', '3');
    expect(status).toBe(0);
    const [newest = '', ...older] = stdout.trimEnd().split('\n');
    const made = `for ${ada.email}  tok_\\w{26}$`;
    expect(newest).toMatch(new RegExp(`^[\\d-]+T[\\d:.]+Z  token_created  by command line  ${made}`));
    // These two may be of the same millisecond, within which there is no order.
    expect(older).toHaveLength(2);
    expect(older.filter((line) => new RegExp(`  token_created  by service  ${made}`).test(line))).toHaveLength(1);
  });

  it.for([
    [['--org', 'nowhere'], 1, 'The organization "nowhere" does not exist.'],
    [['--org', 'acme', '--limit', '0'], 64, 'It is not a number from 1 to 10000.'],
  ] as const)('refuses %j', async ([words, status, message], { service }) => {
    const finished = await run(service, 'audit', ...words);
    expect(finished).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(message) });
  });
});
