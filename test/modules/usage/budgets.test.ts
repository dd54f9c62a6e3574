/**
 * Budgets: once one is used up, nothing that would call the model is accepted or begun until it renews. The refusal names the
 * budget and when it renews, and concerns nobody else.
 */
import { describe, expect, vi } from 'vitest';
import { Budgets } from '../../../src/modules/usage/budgets/budgets.js';
import { setBudget as store } from '../../../src/modules/usage/budgets/manage-budgets.js';
import type { Browser } from '../../auth/browser.js';
import { signedIn } from '../../auth/people.js';
import { command } from '../../cli/command.js';
import { scrape } from '../../metrics/scrape.js';
import type { ProblemBody } from '../../support/clients/rest-types.js';
import { removeExpired } from '../../support/database/remove-expired.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { breakConnection, finish, gate, openStream, text, usage, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { administratorOf, prices, supervised, take, usedBefore } from './usage-stage.js';

const it = serviceTest({ environment: { AI_PRICES: prices, RESPONSES_PER_USER: '1' } });

type Terms = {
  scope: 'ORGANIZATION' | 'USER' | 'TOKEN';
  period: 'DAY' | 'MONTH';
  unit: 'TOKENS' | 'COST';
  maximum: number;
  userId?: string;
  tokenId?: string;
};

const daily = { scope: 'ORGANIZATION', period: 'DAY', unit: 'TOKENS', maximum: 100 } as const;

function set(browser: Browser, input: Terms) {
  return browser.graphql(
    `mutation ($input: SetBudgetInput!) { setBudget(input: $input) { __typename
      ... on Budget { id scope userId tokenId period unit maximum spent renewsAt } ... on Error { message } } }`,
    { input },
  );
}

const sum = `query { budgets { scope userId tokenId unit maximum spent } }`;

const sending = { text: 'Hi' };
const send = ({ rest }: Pick<Person, 'rest'>) => rest.post<ProblemBody>('/threads', sending);

const nextDay = () => new Date(new Date().setUTCHours(24, 0, 0, 0));
const nextMonth = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
};

const everySending = `mutation ($thread: ID!, $message: ID!) {
  createThread(input: {text: "x"}) { ...Refused }
  sendMessage(input: {threadId: $thread, text: "x"}) { ...Refused }
  interrupting: sendMessage(input: {threadId: $thread, text: "x", onBusy: INTERRUPT}) { ...Refused }
  editMessage(input: {messageId: $message, text: "x"}) { ...Refused }
  regenerateResponse(input: {messageId: $message}) { ...Refused }
  continueThread(input: {threadId: $thread, text: "x"}) { ...Refused }
  answerChoice(input: {threadId: $thread, toolUseId: "x", choice: "x"}) { ...Refused }
}
fragment Refused on Error { code message ... on BudgetExceededError { scope period unit maximum renewsAt } }`;

describe('a budget of an organization that is used up', () => {
  it('refuses every message of its members, over both APIs, until it is raised or removed', async ({ service }) => {
    const { ada, browser } = await supervised(service);
    const { setBudget } = await set(browser, daily);
    expect(setBudget).toMatchObject({
      ...daily,
      userId: null,
      tokenId: null,
      spent: 0,
      renewsAt: nextDay().toISOString(),
    });
    const { threadId, messageId } = await take(service, ada, 60, 40);
    const asked = service.model.requests.length;
    const hits = () =>
      scrape(service.url).then((all) => all.sum('skein_limits_hit_total', { limit: 'organization-budget' }));
    const before = await hits();

    const detail = `The organization's daily token budget of 100 is used up. It renews on ${nextDay().toISOString().slice(0, 10)} at 00:00 UTC. Try again then, or ask an administrator to raise it.`;
    const budget = { scope: 'organization', period: 'day', unit: 'tokens', maximum: 100 };
    for (const path of ['/threads', `/threads/${threadId}/messages`]) {
      const { status, headers, body } = await ada.rest.post<ProblemBody>(path, sending);
      expect({ status, body }).toMatchObject({
        status: 429,
        body: {
          type: '/problems/budget-exceeded',
          code: 'budget_exceeded',
          detail,
          budget,
          renews_at: nextDay().toISOString(),
        },
      });
      const seconds = (nextDay().getTime() - Date.now()) / 1000;
      expect(Math.abs(Number(headers.get('retry-after')) - seconds)).toBeLessThan(60);
    }
    const { token } = await colleagueOf(service, ada);
    const graphql = service.graphql(token);
    const refused = await graphql.data(everySending, { thread: threadId, message: messageId });
    const { scope, period, unit, maximum } = daily;
    const error = { code: 'BUDGET_EXCEEDED', message: detail, scope, period, unit, maximum };
    expect(Object.values(refused)).toEqual(Array(7).fill({ ...error, renewsAt: nextDay().toISOString() }));
    expect((await hits()) - before).toBe(9);
    expect((await ada.rest.get<{ state: string }>(`/threads/${threadId}`)).body.state).toBe('ready');
    expect((await send(await newcomer(service))).status).toBe(201);

    expect((await set(browser, { ...daily, maximum: 1000 })).setBudget.id).toBe(setBudget.id);
    expect((await send(ada)).status).toBe(201);
    await set(browser, { ...daily, maximum: 0 });
    expect((await send(ada)).status).toBe(429);
    const remove = `mutation ($id: ID!) { removeBudget(id: $id) { __typename ... on Budget { maximum } } }`;
    expect(await browser.graphql(remove, { id: setBudget.id })).toEqual({
      removeBudget: { __typename: 'Budget', maximum: 0 },
    });
    expect((await send(ada)).status).toBe(201);
    expect(service.model.requests.length).toBeGreaterThan(asked);
  });

  it('lets calls that are under way end, and a repeated request have its first answer', async ({ service }) => {
    const { ada, browser } = await supervised(service);
    await set(browser, daily);
    const people = [ada, await colleagueOf(service, ada), await colleagueOf(service, ada)];
    const going = gate();
    for (const _ of people) service.model.enqueue([wait(going.passed), text('Hi'), usage(60, 0), finish()]);
    const keyed = { headers: { 'idempotency-key': 'once' } };
    const { requests } = service.model;
    const asked = requests.length;
    const sent = await Promise.all(
      people.map(({ rest }) => rest.post<{ thread_id: string; message_id: string }>('/threads', sending, keyed)),
    );
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201]);
    await expect.poll(() => requests.length).toBe(asked + people.length);
    going.open();
    for (const [index, { body }] of sent.entries()) {
      await people[index]?.rest.answer({ threadId: body.thread_id, messageId: body.message_id });
    }
    expect((await send(ada)).status).toBe(429);
    expect(await ada.rest.post('/threads', sending, keyed)).toMatchObject({ status: 201, body: sent[0]?.body });
  });
});

describe('a budget of a user', () => {
  it('counts what the user asks for, in any thread, and is their own before that of each user', async ({ service }) => {
    const [ada, cleo] = [await newcomer(service), await newcomer(service)];
    const bob = await colleagueOf(service, ada);
    const browser = await administratorOf(service, ada);
    await set(browser, { ...daily, scope: 'USER' });
    await set(browser, { ...daily, scope: 'USER', userId: bob.id, maximum: 300 });
    const { threadId } = await take(service, ada, 50);
    service.model.enqueue([text('Hi'), usage(250, 0), finish()]);
    await bob.rest.answer(await bob.rest.send(threadId, 'In the thread of Ada'));
    await take(service, ada, 50);
    const { body } = await send(ada);
    expect(body).toMatchObject({ budget: { scope: 'user', maximum: 100 } });
    expect(
      (await (await signedIn(service, ada)).graphql('mutation { createThread(input: {text: "x"}) { __typename } }'))
        .createThread,
    ).toEqual({ __typename: 'BudgetExceededError' });
    await take(service, bob, 50);
    expect((await send(bob)).body).toMatchObject({ budget: { scope: 'user', maximum: 300 } });
    expect((await send(cleo)).status).toBe(201);
    const charged = { OR: [{ chargedUserId: { not: null } }, { chargedTokenId: { not: null } }] };
    expect(await service.database.response.count({ where: { finishedAt: { not: null }, ...charged } })).toBe(0);
    expect((await browser.graphql(sum)).budgets).toMatchObject([
      { userId: null, maximum: 100, spent: null },
      { userId: bob.id, maximum: 300, spent: 300 },
    ]);
  });
});

describe('a budget of an access token', () => {
  it('counts what is asked for with it and with those made with it, and no other', async ({ service }) => {
    const { ada, browser } = await supervised(service);
    const { tokenId } = await service.viewerOf(ada);
    const { createAccessToken: made } = await ada.graphql.data(
      'mutation { createAccessToken(input: {name: "child", scopes: [THREADS_READ, THREADS_WRITE], expiresInDays: 1}) { ... on CreatedAccessToken { secret accessToken { id } } } }',
    );
    await set(browser, { ...daily, scope: 'TOKEN', tokenId });
    const child = { rest: service.client(made.secret) };
    await take(service, child, 60);
    await take(service, ada, 40);
    expect((await send(ada)).body).toMatchObject({ code: 'budget_exceeded', budget: { scope: 'token' } });
    expect((await send(child)).status).toBe(429);
    const other = { rest: service.client(await service.token(ada.id, ['threads:write', 'threads:read'])) };
    await take(service, other, 1000);
    expect((await send(other)).status).toBe(201);
    expect(await set(browser, { ...daily, scope: 'TOKEN', tokenId: made.accessToken.id })).toMatchObject({
      setBudget: { __typename: 'InvalidInputError', message: expect.stringContaining(tokenId) },
    });
    await set(browser, { ...daily, scope: 'TOKEN' });
    expect((await send(other)).body).toMatchObject({ budget: { scope: 'token' } });
    const owned = await signedIn(service, ada);
    expect(await owned.graphql('mutation { createThread(input: {text: "x"}) { __typename } }')).toEqual({
      createThread: { __typename: 'PostedMessage' },
    });
  });

  it('is counted for as long as a budget may ask, and then forgotten', async ({ service: { service } }) => {
    const { database } = service;
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000);
    const row = { tokenId: 'tok_old', model: 'x', inputTokens: 1n, outputTokens: 1n };
    await database.tokenUsageDay.createMany({ data: [61, 63].map((ago) => ({ ...row, day: day(ago) })) });
    expect(await removeExpired(database, 'token_usage')).toBe(1);
    expect(await database.tokenUsageDay.count({ where: { tokenId: 'tok_old' } })).toBe(1);
  });
});

describe('a budget of a month', () => {
  it('of money counts models by their prices, from the first day of the month on', async ({ service }) => {
    const { ada, browser } = await supervised(service);
    await set(browser, { ...daily, period: 'MONTH', unit: 'COST', maximum: 2 });
    const [year, month] = [new Date().getUTCFullYear(), new Date().getUTCMonth()];
    await usedBefore(service, ada, { day: new Date(Date.UTC(year, month, 0)), inputTokens: 9_000_000 });
    await usedBefore(service, ada, { day: new Date(Date.UTC(year, month, 1)), inputTokens: 900_000 });
    await usedBefore(service, ada, { day: new Date(Date.UTC(year, month, 1)), inputTokens: 9_000_000, model: 'free' });
    await take(service, ada, 0, 19_999);
    await take(service, ada, 0, 1);
    const { status, body } = await send(ada);
    expect({ status, body }).toMatchObject({
      status: 429,
      body: {
        detail: expect.stringContaining("The organization's monthly cost budget of 2 is used up."),
        budget: { period: 'month', unit: 'cost', maximum: 2 },
        renews_at: nextMonth().toISOString(),
      },
    });
  });

  it('renews at midnight of UTC on its first day, as that of a day does each midnight', async ({ service }) => {
    const ada = await newcomer(service);
    const { database } = service;
    const { organizationId } = await service.viewerOf(ada);
    const terms = { scope: 'organization', userId: null, tokenId: null, unit: 'tokens', maximum: 100 } as const;
    await store({ database, prices: new Map() }, organizationId, { ...terms, period: 'day' });
    await usedBefore(service, ada, { day: new Date('2026-02-27') });
    const payer = { organizationId, userId: ada.id, tokenId: null, hasBudgets: true };
    const checked = async (time: string) => {
      const limitsHit = { see: vi.fn() };
      const now = () => new Date(time);
      const outcome = new Budgets({ database, prices: new Map(), limitsHit, now }).check(payer);
      return outcome.then(() => null).catch(({ renewsAt }) => renewsAt.toISOString());
    };
    expect(await checked('2026-02-27T23:59:59.999Z')).toBe('2026-02-28T00:00:00.000Z');
    expect(await checked('2026-02-28T00:00:00Z')).toBeNull();
    await store({ database, prices: new Map() }, organizationId, { ...terms, period: 'month' });
    expect(await checked('2026-02-27T12:00:00Z')).toBe('2026-03-01T00:00:00.000Z');
    expect(await checked('2026-02-28T23:59:59.999Z')).toBe('2026-03-01T00:00:00.000Z');
    expect(await checked('2026-03-01T00:00:00Z')).toBeNull();
    expect(await checked('2027-02-27T12:00:00Z')).toBeNull();
  });
});

describe('a budget that is used up meanwhile', () => {
  it('fails a response that was queued before, and the viewers learn why', async ({ service }) => {
    const { ada, browser } = await supervised(service);
    await set(browser, { ...daily, scope: 'USER' });
    const going = gate();
    service.model.enqueue([wait(going.passed), text('Hi'), usage(100, 0), finish()]);
    const first = await ada.rest.createThread(sending);
    const second = await ada.rest.createThread(sending);
    const asked = service.model.requests.length;
    const stream = await ada.rest.stream(second);
    going.open();
    await ada.rest.answer(first);
    const events = [];
    for await (const event of stream) events.push(event);
    const message = expect.stringContaining("The user's daily token budget of 100 is used up. It renews on");
    expect(events).toMatchObject([{ event: 'error', data: { message } }]);
    const query = `query ($id: ID!) { thread(id: $id) { state messages { edges { node { response { __typename ... on ResponseFailed { code message } } } } } } }`;
    const { thread } = await ada.graphql.data(query, { id: second.threadId });
    const response = { __typename: 'ResponseFailed', code: 'budget_exceeded', message };
    expect(thread).toEqual({ state: 'ERROR', messages: { edges: [{ node: { response } }] } });
    expect(service.model.requests.length).toBeLessThanOrEqual(asked + 1);
  });

  it('ends the tries of a call that failed', async ({ service }) => {
    const { ada, browser } = await supervised(service);
    await set(browser, daily);
    const going = gate();
    service.model.enqueue([openStream(), wait(going.passed), breakConnection()]);
    const asked = service.model.requests.length;
    const sent = await ada.rest.createThread(sending);
    await expect.poll(() => service.model.requests.length).toBe(asked + 1);
    await usedBefore(service, ada, { day: new Date() });
    going.open();
    await vi.waitFor(
      async () => {
        const { errorCode } = await service.database.response.findUniqueOrThrow({
          where: { messageId: sent.messageId },
        });
        expect(errorCode).toBe('budget_exceeded');
      },
      { timeout: 20_000 },
    );
    expect(service.model.requests.length).toBe(asked + 1);
  });

  it('leaves a thread without a name of the model', async ({ service, startService }) => {
    const naming = await startService({ environment: { AI_THREAD_NAMES: 'on' } });
    const [ada, bob] = [await newcomer(naming), await newcomer(naming)];
    await set(await administratorOf(naming, ada), daily);
    naming.model.nameBy(() => [text('A name'), usage(7, 3), finish()]);
    await take(naming, ada, 100);
    const { threadId } = await take(naming, bob, 100);
    const { database } = naming.service;
    await expect
      .poll(() => database.thread.findUnique({ where: { id: threadId } }))
      .toMatchObject({
        generatedName: 'A name',
      });
    expect(naming.model.namings).toHaveLength(1);
    await vi.waitFor(
      async () => {
        const { tokenId } = await naming.viewerOf(bob);
        expect(await database.tokenUsageDay.findMany({ where: { tokenId } })).toMatchObject([
          { inputTokens: 107n, outputTokens: 3n },
        ]);
      },
      { timeout: 20_000 },
    );
    expect(service).toBeDefined();
  });
});

describe('the budgets of an organization', () => {
  it('are for its administrators at a browser, and for its own users and tokens', async ({ service }) => {
    const [ada, eve] = [await newcomer(service), await newcomer(service)];
    const [mine, theirs] = [await administratorOf(service, ada), await administratorOf(service, eve)];
    const { setBudget } = await set(mine, daily);
    expect((await theirs.graphql(sum)).budgets).toEqual([]);
    const remove = `mutation ($id: ID!) { removeBudget(id: $id) { __typename } }`;
    const id = setBudget.id;
    expect(await theirs.graphql(remove, { id })).toEqual({ removeBudget: { __typename: 'NotFoundError' } });
    const { tokenId } = await service.viewerOf(ada);
    for (const subject of [
      { scope: 'USER', userId: ada.id },
      { scope: 'TOKEN', tokenId },
      { scope: 'TOKEN', tokenId: 'x' },
    ] as const) {
      expect((await set(theirs, { ...daily, ...subject })).setBudget).toMatchObject({ __typename: 'NotFoundError' });
    }
    const member = await signedIn(service, ada);
    expect((await set(member, daily)).setBudget).toMatchObject({ __typename: 'NotAdministratorError' });
    expect(await member.graphql(remove, { id })).toEqual({ removeBudget: { __typename: 'NotAdministratorError' } });
    await expect(member.graphql(sum)).rejects.toThrow('NOT_ADMINISTRATOR');
    expect((await mine.graphql(sum)).budgets).toMatchObject([{ scope: 'ORGANIZATION', maximum: 100 }]);
  });

  it('refuse terms that contradict each other, and name the field', async ({ service }) => {
    const browser = await administratorOf(service, await newcomer(service));
    for (const [wrong, field] of [
      [{ maximum: -1 }, 'maximum'],
      [{ maximum: 1.5 }, 'maximum'],
      [{ unit: 'COST', maximum: -0.01 }, 'maximum'],
      [{ userId: 'usr_1' }, 'userId'],
      [{ scope: 'USER', tokenId: 'tok_1' }, 'tokenId'],
    ] as const) {
      const message = expect.stringContaining(`${field}: `);
      const { setBudget } = await set(browser, { ...daily, ...wrong });
      expect(setBudget, JSON.stringify(wrong)).toMatchObject({ __typename: 'InvalidInputError', message });
    }
  });

  it('are recorded in the audit log with what they say, and go with their user', async ({ service, database }) => {
    const ada = await newcomer(service);
    const admin = await colleagueOf(service, ada, { role: 'admin' });
    const browser = await signedIn(service, admin);
    const { organizationId, tokenId } = await service.viewerOf(ada);
    const { setBudget } = await set(browser, daily);
    await set(browser, { ...daily, scope: 'USER', unit: 'COST', maximum: 1.5 });
    await set(browser, { ...daily, scope: 'TOKEN', tokenId, period: 'MONTH' });
    await browser.graphql('mutation ($id: ID!) { removeBudget(id: $id) { __typename } }', { id: setBudget.id });
    const { auditEvents } = await browser.graphql(
      'query { auditEvents(first: 4) { edges { node { act actorId subjectId targetId } } } }',
    );
    const act = { actorId: admin.id, subjectId: String(organizationId) };
    expect(auditEvents.edges.map(({ node }) => node)).toEqual([
      { ...act, act: 'BUDGET_REMOVED', targetId: 'organization: 100 tokens a day' },
      { ...act, act: 'BUDGET_SET', subjectId: ada.id, targetId: `${tokenId}: 100 tokens a month` },
      { ...act, act: 'BUDGET_SET', targetId: 'each user: 1.5 cost a day' },
      { ...act, act: 'BUDGET_SET', targetId: 'organization: 100 tokens a day' },
    ]);
    await browser.graphql('mutation ($id: ID!) { deleteMember(memberId: $id) { __typename } }', { id: ada.id });
    expect(await database.budget.findMany({ where: { organizationId } })).toMatchObject([{ scope: 'user' }]);
  });
});

describe('skein budget', () => {
  it('sets, lists and removes the budgets of an organization, and says what is wrong', async ({ service }) => {
    const ada = await service.person({ org: 'spenders' });
    const environment = { DATABASE_URL: service.storage.url, AI_PRICES: prices };
    const run = (...words: string[]) => command(['budget', ...words], environment);
    const set = ['set', '--org', 'spenders', '--per'];
    const all = await run(...set, 'month', '--tokens', '1000000');
    expect(all).toMatchObject({ status: 0, stdout: expect.stringMatching(/^bud_\w{26}\n$/), stderr: '' });
    const id = all.stdout.trim();
    const own = (await run(...set, 'day', '--cost', '12.50', '--user', ada.email)).stdout.trim();
    const each = (await run(...set, 'day', '--tokens', '5', '--each', 'token')).stdout.trim();
    await usedBefore(service, ada, { day: new Date(), inputTokens: 1500 });
    const [month, day] = [nextMonth(), nextDay()].map((moment) => moment.toISOString().slice(0, 10));
    expect((await run('list', '--org', 'spenders')).stdout.split('\n')).toEqual([
      `${id}  organization  1000000 tokens a month  1500 taken  renews ${month}`,
      `${own}  ${ada.email}  12.5 cost a day  0.003 taken  renews ${day}`,
      `${each}  each token  5 tokens a day  renews ${day}`,
      '',
    ]);
    expect(await run('remove', id)).toMatchObject({ status: 0, stdout: `${id} removed\n` });
    expect(await run('remove', id)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('budget does not exist'),
    });
    expect(await run(...set, 'day')).toMatchObject({
      status: 64,
      stderr: expect.stringMatching(/^error: give --tokens or --cost\n/),
    });
    expect(
      await command(['budget', ...set, 'day', '--cost', '5'], { DATABASE_URL: service.storage.url }),
    ).toMatchObject({
      status: 1,
      stderr: '--cost needs the prices of the models. Set AI_PRICES, for the service too.\n',
    });
    const both = await run(...set, 'day', '--tokens', '1', '--user', ada.email, '--each', 'user');
    expect(both).toMatchObject({ status: 64, stderr: expect.stringContaining('cannot be used with') });
    const stranger = await service.person({ org: 'strangers' });
    const { tokenId } = await service.viewerOf(stranger);
    expect(await run(...set, 'day', '--tokens', '1', '--token', tokenId)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('access token does not exist'),
    });
    expect(await run(...set, 'day', '--tokens', '1', '--user', stranger.email)).toMatchObject({ status: 1 });
  });
});
