/** Usage in the browser: what administrators see of it, for which days, and that nobody else does. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../src/ids.js';
import { spanOf } from '../../src/web/settings/usage/spans.js';
import { rowsOf } from '../../src/web/settings/usage/sums.js';
import type { Person } from '../support/service.js';
import { describeWebWith } from './browser.js';
import { answered, composer, goTo } from './pages/pages.js';
import { dayBefore, stageUsage } from './staged-usage.js';

const subject = (page: Page) => page.getByRole('button', { name: /^Budget of/ });
const prices = '{"openai:gpt-5": {"input": 1.25, "output": 10}}';

describeWebWith('usage in the browser', { environment: { AI_PRICES: prices } }, (world) => {
  let organizations = 0;

  async function stage(): Promise<{ admin: Person; grace: Person }> {
    organizations += 1;
    const org = `usage-${organizations}`;
    const admin = await world.service.person({ org, name: 'Ada', role: 'admin' });
    return { admin, grace: await world.service.person({ org, name: 'Grace' }) };
  }

  /** Of all but the test with 600 people. */
  let admin: Person;
  let grace: Person;
  let page: Page;
  beforeAll(async () => {
    ({ admin, grace } = await stage());
    const { database } = world.service;
    await database.organization.update({ where: { slug: 'usage-1' }, data: { name: 'Looms & Sons' } });
    page = await world.signedIn(admin);
  });

  /** The cells of a table, row by row, with the heading and the total. */
  async function cellsOf(page: Page, name: string): Promise<string[][]> {
    const rows = await page.getByRole('table', { name }).getByRole('row').all();
    return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
  }

  /** Chooses days by their names. */
  async function choose(page: Page, from: string, to: string): Promise<void> {
    await page.getByLabel('Time').selectOption('Other days');
    await page.getByLabel('From').fill(from);
    await page.getByLabel('To', { exact: true }).fill(to);
    await page.getByRole('button', { name: 'Show' }).click();
  }

  it('opens with this month, shows the last days and the previous month, says where nothing is and why days cannot be shown, and tries again', async () => {
    const row = { userId: admin.id, model: 'openai:gpt-5', responses: 1, inputTokens: 10, outputTokens: 1 };
    await stageUsage(world, admin, [
      { ...row, day: dayBefore(0) },
      { ...row, day: dayBefore(6) },
      { ...row, day: dayBefore(7) },
    ]);
    await page.goto('/settings/usage');
    const asked = async (name: string) => {
      const request = page.waitForRequest((sent) => sent.postData()?.includes('query Usage') ?? false);
      await page.getByLabel('Time').selectOption(name);
      const { variables } = (await request).postDataJSON() as { variables: { from: string; to: string } };
      return variables;
    };
    await page.getByRole('table', { name: 'By day' }).waitFor();
    expect(await page.getByLabel('Time').inputValue()).toBe('thisMonth');
    expect(await asked('Last 7 days')).toEqual({ from: dayBefore(6), to: dayBefore(0) });
    await expect.poll(() => cellsOf(page, 'By day').then((rows) => rows.length)).toBe(2 + 2);
    const [year, month] = dayBefore(0).split('-').map(Number) as [number, number];
    const before = { from: new Date(Date.UTC(year, month - 2, 1)), to: new Date(Date.UTC(year, month - 1, 0)) };
    expect(await asked('Previous month')).toEqual({
      from: before.from.toISOString().slice(0, 10),
      to: before.to.toISOString().slice(0, 10),
    });
    await choose(page, '2020-01-01', '2020-01-31');
    await page.getByText('No responses from Jan 1, 2020 to Jan 31, 2020.').first().waitFor();
    await expect.poll(() => page.getByRole('table').count()).toBe(0);

    await choose(page, '2026-02-01', '2026-01-01');
    const alert = page.getByRole('alert').filter({ hasText: 'from' });
    await alert.waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await page.getByLabel('Time').selectOption('This month');
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'By day' }).waitFor();
    await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
  });

  it('sets and removes budgets, and the composer says when one that is used up renews; members are not shown usage', async () => {
    const set = async (whose: string, amount: string, kind: string) => {
      await subject(page).click();
      await page.getByRole('dialog').getByRole('listitem').filter({ hasText: whose }).getByRole('button').click();
      await page.getByLabel('At most').fill(amount);
      await page.getByLabel('Kind').selectOption(kind);
      await page.getByRole('button', { name: 'Set budget' }).click();
    };
    const most = page.getByLabel('At most');
    for (const amount of ['1.5', '1e30']) {
      await set('Grace', amount, 'Tokens');
      expect(await most.evaluate((field: HTMLInputElement) => field.validationMessage)).not.toBe('');
      await expect.poll(() => most.evaluate((field) => field === document.activeElement)).toBe(true);
    }
    await set('Grace', '1000', 'Tokens');
    const row = page.getByRole('listitem').filter({ hasText: 'Grace' });
    await row.getByText('1,000 tokens a month · 0 taken').waitFor();
    await set('Each member', '2.5', 'Cost');
    await page.getByRole('listitem').filter({ hasText: 'a cost of 2.5 a month' }).waitFor();
    const used = {
      day: dayBefore(0),
      userId: grace.id,
      model: 'openai:gpt-5',
      responses: 1,
      inputTokens: 1000,
      outputTokens: 0,
    };
    await stageUsage(world, admin, [used]);
    await page.reload();
    await row.getByText('Used up').waitFor();

    const hers = await world.open(grace, '/new');
    await composer(hers).fill('What may I ask?');
    await composer(hers).press('Enter');
    await hers
      .getByRole('alert')
      .getByText(/The user's monthly token budget of 1,000 is used up. It renews on \d{4}-\d\d-01 at 00:00 UTC/)
      .waitFor();
    expect(await composer(hers).inputValue()).toBe('What may I ask?');

    await row.getByRole('button', { name: 'Remove: Grace, 1,000 tokens a month' }).click();
    await page.getByText('Grace no longer has this budget.').waitFor();
    await composer(hers).press('Enter');
    await answered(hers);

    await goTo(hers, '/settings');
    const tabs = hers.getByRole('navigation', { name: 'Settings' });
    await tabs.getByRole('link', { name: 'Members' }).waitFor();
    expect(await tabs.getByRole('link', { name: 'Usage' }).count()).toBe(0);
    await goTo(hers, '/settings/usage');
    await hers.getByRole('heading', { name: 'This page is for administrators' }).waitFor();
  });

  it('adds up tokens, responses and cost by day, user and model, with totals; fits a phone, with short numbers, and names of any length', async () => {
    const gpt = { model: 'openai:gpt-5', responses: 2 };
    const free = 'compatible:a-model-with-a-name-of-any-length-2026-11';
    await stageUsage(world, admin, [
      { ...gpt, day: '2026-02-01', userId: admin.id, inputTokens: 2_000_000, outputTokens: 100_000 },
      { ...gpt, day: '2026-02-03', userId: grace.id, inputTokens: 1_000_000, outputTokens: 0 },
      { ...gpt, day: '2026-02-03', userId: 'usr_deleted', model: free, inputTokens: 4000, outputTokens: 5 },
      { ...gpt, day: '2026-03-01', userId: grace.id, inputTokens: 9, outputTokens: 9 },
    ]);
    await page.getByRole('heading', { name: 'Usage of Looms & Sons' }).waitFor();
    await choose(page, '2026-02-01', '2026-02-28');
    const head = ['Responses', 'Tokens in', 'Tokens out', 'Cost'];
    const total = ['Total', '6', '3,004,000', '100,005', '≥ 4.75'];
    // Those of another time are there until these have loaded.
    await expect
      .poll(() => cellsOf(page, 'By day'))
      .toEqual([
        ['Day', ...head],
        ['Feb 3', '4', '1,004,000', '5', '≥ 1.25'],
        ['Feb 1', '2', '2,000,000', '100,000', '3.50'],
        total,
      ]);
    expect(await cellsOf(page, 'By user')).toEqual([
      ['User', ...head],
      ['Ada', '2', '2,000,000', '100,000', '3.50'],
      ['Grace', '2', '1,000,000', '0', '1.25'],
      ['Former member', '2', '4,000', '5', '–'],
      total,
    ]);
    expect(await cellsOf(page, 'By model')).toEqual([
      ['Model', ...head],
      ['openai:gpt-5', '4', '3,000,000', '100,000', '4.75'],
      [free, '2', '4,000', '5', '–'],
      total,
    ]);
    await page.getByText('Not every model is in the price list').waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(async () => (await cellsOf(page, 'By day'))[1]?.[2]).toMatch(/^\d+(\.\d+)?M$/);
    const overflow = await page.evaluate(() => {
      const settings = document.querySelector('.settings');
      const root = document.documentElement;
      return [root.scrollWidth - root.clientWidth, settings ? settings.scrollWidth - settings.clientWidth : null];
    });
    expect(overflow).toEqual([0, 0]);
  });

  it('folds the usage of 600 people above the budgets, and sets a budget for the last who joined, found by their name or address', async () => {
    const { admin } = await stage();
    const { database } = world.service;
    const { organizationId } = await database.user.findUniqueOrThrow({ where: { id: admin.id } });
    const colleagues = Array.from({ length: 600 }, (_, index) => ({
      ...{ id: createId('usr'), organizationId },
      ...{ email: `colleague-${index + 1}@budget.test`, name: `Colleague ${index + 1}` },
    }));
    await database.user.createMany({ data: colleagues });
    const page = await world.signedIn(admin);
    const used = { day: dayBefore(0), model: 'openai:gpt-5', responses: 1, inputTokens: 1000, outputTokens: 0 };
    const users = colleagues.map(({ id }) => ({ ...used, userId: id }));
    await stageUsage(world, admin, users);
    await page.goto('/settings/usage');
    const rows = page.getByRole('table', { name: 'By user' }).getByRole('row');
    await expect.poll(() => rows.count(), { message: 'with the heading and the total' }).toBe(31 + 2);
    await page.getByRole('button', { name: 'Show all 600', expanded: false }).click();
    await expect.poll(() => rows.count()).toBe(600 + 2);
    await page.getByRole('button', { name: 'Show all 600', expanded: true }).click();
    await expect.poll(() => rows.count()).toBe(31 + 2);
    await subject(page).click();
    const dialog = page.getByRole('dialog', { name: 'Budget of' });
    await dialog.getByText('The first 20 are shown. Search for others.').waitFor();
    await page.keyboard.type('600@budget');
    await dialog.getByRole('button', { name: 'Colleague 600' }).click();
    await expect.poll(() => subject(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Budget of Colleague 600' }).waitFor();
    await page.getByLabel('At most').fill('1000');
    await page.getByRole('button', { name: 'Set budget' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Colleague 600' }).getByText('1,000 tokens a month').waitFor();
    await page.getByRole('button', { name: 'Budget of The organization' }).waitFor();
  });
});

it('measures a row of usage by its tokens, or by its responses where no model reported any', () => {
  const row = (responses: number, inputTokens: number) => {
    return {
      day: null,
      userId: null,
      model: `m${responses}`,
      responses,
      inputTokens,
      outputTokens: 0,
      cost: null,
      member: null,
      isCostComplete: false,
    };
  };
  const shares = (...rows: ReturnType<typeof row>[]) => rowsOf(rows).map(({ share }) => share);
  expect(shares(row(4, 100), row(8, 25))).toEqual([1, 0.25]);
  expect(shares(row(4, 0), row(8, 0))).toEqual([0.5, 1]);
  expect(shares(row(0, 0))).toEqual([0]);
});

describe('the days of a span', () => {
  it.each([
    ['thisMonth', '2026-11-23T07:19:15Z', '2026-11-01', '2026-11-23'],
    ['thisMonth', '2026-12-01T00:00:00Z', '2026-12-01', '2026-12-01'],
    ['lastMonth', '2026-11-23T07:19:15Z', '2026-10-01', '2026-10-31'],
    ['lastMonth', '2027-01-31T23:59:59Z', '2026-12-01', '2026-12-31'],
    ['lastMonth', '2028-03-31T12:00:00Z', '2028-02-01', '2028-02-29'],
    ['week', '2027-01-03T12:00:00Z', '2026-12-28', '2027-01-03'],
    // Wherever the browser is.
    ['thisMonth', '2026-11-30T23:30:00-02:00', '2026-12-01', '2026-12-01'],
  ] as const)('%s at %s is from %s to %s', (name, now, from, to) => {
    expect(spanOf(name, new Date(now))).toEqual({ from, to });
  });
});
