/** Usage: what responses took is added up when they end, whoever asks sees their organization's, and deleting keeps it. */
import { describe, expect, it as pure } from 'vitest';
import { addUsage } from '../../../src/modules/usage/add-usage.js';
import { costOf, readPrices } from '../../../src/modules/usage/prices.js';
import { readUsage } from '../../../src/modules/usage/read-usage.js';
import { signedIn } from '../../auth/people.js';
import { command } from '../../cli/command.js';
import { newcomersTest } from '../../support/fixtures/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { administratorOf, prices, take, usedBefore } from './usage-stage.js';

const it = newcomersTest({ environment: { AI_PRICES: prices } });

const today = new Date().toISOString().slice(0, 10);

const query = `query ($from: String, $to: String, $groupBy: UsageGroup) {
  usage(from: $from, to: $to, groupBy: $groupBy) {
    day userId model responses inputTokens outputTokens cost isCostComplete } }`;

/** More than 32 bits hold. */
const much = { inputTokens: 3_000_000_000, outputTokens: 5 };
const none = { day: null, userId: null, model: null };

describe('Query.usage', () => {
  it('adds up the tokens of responses by day, user and model, with what they cost', async ({ service, ada, bob }) => {
    await take(service, ada, 100, 20);
    await take(service, ada, 50, 10);
    await take(service, bob, 1000, 1);
    await take(service, await newcomer(service), 9, 9);
    const browser = await administratorOf(service, ada);
    const sum = { ...none, responses: 3, inputTokens: 1150, outputTokens: 31, cost: 0.00261, isCostComplete: true };
    expect(await browser.graphql(query, {})).toEqual({ usage: [{ ...sum, day: today }] });
    expect(await browser.graphql(query, { groupBy: 'MODEL' })).toEqual({
      usage: [{ ...sum, model: 'compatible:scripted' }],
    });
    expect(await browser.graphql(query, { groupBy: 'USER' })).toEqual({
      usage: [
        { ...sum, userId: bob.id, responses: 1, inputTokens: 1000, outputTokens: 1, cost: 0.00201 },
        { ...sum, userId: ada.id, responses: 2, inputTokens: 150, outputTokens: 30, cost: 0.0006 },
      ],
    });
  });

  it('names who asked, unless they are no longer a member', async ({ service, ada, bob }) => {
    await take(service, ada, 100, 20);
    await take(service, bob, 1000, 1);
    const browser = await administratorOf(service, ada);
    const data = { removedAt: new Date() };
    await service.database.user.update({ where: { id: bob.id }, data });
    const { usage: sums } = await browser.graphql('{ usage(groupBy: USER) { userId member { id email } } }', {});
    expect(sums).toEqual([
      { userId: bob.id, member: null },
      { userId: ada.id, member: { id: ada.id, email: ada.email } },
    ]);
  });

  it('adds up what ends at the same time, none of which waits for the other', async ({ service, ada, database }) => {
    const sent = await take(service, ada, 100, 20);
    const { id: tokenId } = await database.accessToken.findFirstOrThrow({ where: { userId: ada.id } });
    const payer = { userId: ada.id, tokenId };
    const used = { threadId: sent.threadId, payer, model: 'compatible:scripted', inputTokens: 10, outputTokens: 1 };
    await database.$transaction(async (first) => {
      await addUsage(first, used);
      await addUsage(database, used);
    });
    const { usage: sums } = await (await administratorOf(service, ada)).graphql(query, {});
    expect(sums).toMatchObject([{ responses: 1, inputTokens: 120, outputTokens: 22 }]);
    const parts = await database.tokenUsageDay.findMany({ where: { tokenId }, orderBy: { part: 'asc' } });
    expect(parts).toMatchObject([{ inputTokens: 110n }, { inputTokens: 10n }]);
  });

  it('keeps what was used in deleted threads, and counts for the token what is used after', async ({ service }) => {
    const ada = await newcomer(service);
    const { threadId } = await take(service, ada, 100, 20);
    await ada.graphql.data('mutation ($id: ID!) { deleteThread(id: $id) { __typename } }', { id: threadId });
    const { usage: sums } = await (await administratorOf(service, ada)).graphql(query, {});
    expect(sums).toMatchObject([{ responses: 1, inputTokens: 100 }]);
    // A summary or a name that is ready after the deletion has no organization to count for, but the token is there.
    const { database } = service;
    const { tokenId } = await service.viewerOf(ada);
    const payer = { userId: ada.id, tokenId };
    await addUsage(database, { threadId, payer, model: 'compatible:scripted', inputTokens: 7, outputTokens: 1 });
    expect(await database.tokenUsageDay.findMany({ where: { tokenId } })).toMatchObject([
      { inputTokens: 107n, outputTokens: 21n },
    ]);
  });

  it('reads the asked days alone, more tokens than 32 bits hold, and models without a price', async ({ service }) => {
    const ada = await newcomer(service);
    for (const day of ['2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01']) {
      await usedBefore(service, ada, { day: new Date(day), ...much });
    }
    await usedBefore(service, ada, { day: new Date('2026-02-28'), model: 'free', ...much });
    const browser = await administratorOf(service, ada);
    const { usage: days } = await browser.graphql(query, { from: '2026-02-01', to: '2026-02-28' });
    expect(days).toMatchObject([
      { day: '2026-02-28', responses: 2, inputTokens: 6_000_000_000, cost: 6000.00005, isCostComplete: false },
      { day: '2026-02-01', responses: 1, inputTokens: 3_000_000_000, cost: 6000.00005, isCostComplete: true },
    ]);
    const { usage: models } = await browser.graphql(query, { from: '2026-02-01', to: '2026-02-28', groupBy: 'MODEL' });
    expect(models).toMatchObject([
      { model: 'compatible:scripted' },
      { model: 'free', cost: null, isCostComplete: false },
    ]);
  });

  it.for([
    [{ from: '2026-02-30' }, 'from'],
    [{ to: 'today' }, 'to'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'from'],
    [{ from: '2025-01-01', to: '2026-03-01' }, 'from'],
  ] as const)('refuses %j', async ([variables, field], { service }) => {
    const browser = await administratorOf(service, await newcomer(service));
    await expect(browser.graphql(query, variables)).rejects.toThrow(
      new RegExp(`INVALID_INPUT.*"field":"${field}"|"field":"${field}".*INVALID_INPUT`, 's'),
    );
  });

  it('is for administrators at a browser', async ({ service, ada }) => {
    const member = await signedIn(service, ada);
    await expect(member.graphql(query, {})).rejects.toThrow('NOT_ADMINISTRATOR');
    const admin = await colleagueOf(service, ada, { role: 'admin' });
    const { body } = await admin.graphql.run(query);
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_ADMINISTRATOR' });
  });

  it('gives no more sums than it is asked for', async ({ service, ada }) => {
    const { organizationId } = await service.database.user.findUniqueOrThrow({ where: { id: ada.id } });
    for (const day of ['2026-04-01', '2026-04-02']) await usedBefore(service, ada, { day: new Date(day) });
    const request = { organizationId, from: '2026-04-01', to: '2026-04-30', groupBy: 'day', limit: 1 } as const;
    expect(await readUsage(service.database, new Map(), request)).toMatchObject([{ day: '2026-04-02' }]);
  });
});

it('skein usage prints a line for each sum, tab by tab', async ({ service }) => {
  const ada = await service.person({ org: 'used' });
  await take(service, ada, 100, 20);
  await usedBefore(service, ada, { day: new Date(today), model: 'free', ...much });
  const run = (...words: string[]) =>
    command(['usage', ...words], { DATABASE_URL: service.storage.url, AI_PRICES: prices });
  const head = (what: string) => `${what}\tresponses\tinput_tokens\toutput_tokens\tcost\n`;
  expect(await run('--org', 'used')).toEqual({
    status: 0,
    stdout: `${head('day')}${today}\t2\t3000000100\t25\t0.0004+\n`,
    stderr: '',
  });
  expect((await run('--org', 'used', '--by', 'model')).stdout).toBe(
    `${head('model')}free\t1\t3000000000\t5\t-\ncompatible:scripted\t1\t100\t20\t0.0004\n`,
  );
  expect((await run('--org', 'used', '--by', 'user')).stdout).toContain(`\n${ada.email}\t2\t`);
  expect(await run('--org', 'used', '--to', '2026-02-30')).toMatchObject({ status: 64 });
  expect(await run('--org', 'used', '--from', '2999-01-01')).toMatchObject({
    status: 64,
    stderr: expect.stringMatching(/^error: the first day must not be after the last day\n/),
  });
});

pure('costs what the list says for a million tokens, and nothing is known of a model that is not in it', () => {
  const prices = readPrices('{"gpt-5": {"input": 1.25, "output": 10}, "local": {"input": 0, "output": 0}}');
  const tokens = { inputTokens: 2_000_000, outputTokens: 100_000 };
  expect(costOf(prices, { model: 'gpt-5', ...tokens })).toBe(3.5);
  expect(costOf(prices, { model: 'local', ...tokens })).toBe(0);
  expect(costOf(prices, { model: 'gpt-6', ...tokens })).toBeNull();
});

pure.each(['gpt-5', '[]', 'null', '{"gpt-5": 1}', '{"gpt-5": {"input": 1}}', '{"gpt-5": {"input": -1, "output": 1}}'])(
  'refuses %s, and shows what a list looks like',
  (json) => {
    expect(() => readPrices(json)).toThrow(
      /^must be a JSON object such as \{"openai:gpt-5": \{"input": 1\.25, "output": 10\}\}/,
    );
  },
);
