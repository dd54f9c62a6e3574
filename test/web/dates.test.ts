/** Dates and times, in the language and the time zone of who reads, with the whole date behind each. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { numbered, storeMessages } from '../rest/messages/stored-messages.js';
import { addThread, newcomer } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { goTo } from './pages/pages.js';
import { dayBefore, stageUsage } from './staged-usage.js';

const readers = [
  {
    ...{ locale: 'de-DE', timeZone: 'Asia/Tokyo', day: '5. März 2021', time: /^\d\d:\d\d$/ },
    full: 'Freitag, 5. März 2021 um 08:30',
  },
  {
    ...{ locale: 'en-US', timeZone: 'America/Los_Angeles', day: 'Mar 4, 2021', time: /^\d{1,2}:\d\d [AP]M$/ },
    full: 'Thursday, March 4, 2021 at 3:30 PM',
  },
];

describeWeb('dates and times', (world) => {
  it.each(readers)('are those of a reader of $locale', async ({ locale, timeZone, day, time, full }) => {
    const person = await world.service.person({ org: `dates-${locale.toLowerCase()}`, role: 'admin' });
    const at = new Date('2021-03-04T23:30:00.000Z');
    const threadId = await addThread(world.service, person, { name: 'Long ago', createdAt: at });
    await storeMessages(world.service, threadId, numbered(1));
    await addThread(world.service, person, { name: 'Today' });
    const page = await world.open(person, `/threads/${threadId}`, { locale, timeZone });
    await page.getByRole('article').first().waitFor();
    const listed = rowsOf(page).filter({ hasText: 'Long ago' }).locator('time');
    const message = page.getByRole('article').locator('time');
    for (const shown of [listed, message]) {
      expect([await words(shown), await titleOf(shown)]).toEqual([day, full]);
      expect(await shown.getAttribute('datetime')).toBe('2021-03-04T23:30:01.000Z');
    }
    expect(await words(rowsOf(page).filter({ hasText: 'Today' }).locator('time'))).toMatch(time);

    const { database } = world.service;
    const expiresAt = new Date(Date.now() + 40 * 86_400_000);
    await database.accessToken.updateMany({ where: { userId: person.id }, data: { expiresAt } });
    await stageUsage(world, person, [
      { day: dayBefore(0), userId: person.id, model: 'demo', responses: 1, inputTokens: 1, outputTokens: 1 },
    ]);
    for (const name of ['account', 'tokens', 'members', 'usage']) {
      await page.locator('main time').evaluateAll(markAsOld);
      await goTo(page, `/settings/${name}`);
      const times = page.locator('main time:not([data-old])');
      await times.first().waitFor();
      const behind = await times.evaluateAll(wholeDates, { locale, timeZone });
      for (const { title, whole } of behind) expect(title, name).toContain(whole);
    }
  });

  it('are in the languages of the reader also where the browser has menus in another one', async () => {
    const person = await newcomer(world.service);
    await addThread(world.service, person, { name: 'Long ago', createdAt: new Date('2021-03-04T12:00:00.000Z') });
    const page = await world.signedIn(person, { locale: 'en-US', timeZone: 'UTC' });
    // The first is no tag of a language, and makes `Intl` throw.
    await page.addInitScript("Object.defineProperty(navigator, 'languages', { value: ['en_US@posix', 'fr-FR'] })");
    await page.goto('/new');
    expect(await words(rowsOf(page).locator('time'))).toBe('4 mars 2021');
  });
});

/** The entries of the list, whose name is in the language of the reader too. */
function rowsOf(page: Page): Locator {
  return page.locator('.thread-row');
}

type Reader = Pick<(typeof readers)[number], 'locale' | 'timeZone'>;

/** Makes those of the page that is left known from those of the next one. */
function markAsOld(times: Element[]): void {
  for (const time of times) time.setAttribute('data-old', '');
}

/** The tooltips, and the whole dates that they should have. A day of usage is a day of UTC. */
function wholeDates(times: Element[], { locale, timeZone }: Reader): { title: string; whole: string }[] {
  return times.map((element) => {
    const at = element.getAttribute('datetime') ?? '';
    const zone = at.length === 10 ? 'UTC' : timeZone;
    const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: zone }).format(new Date(at));
    return { title: element.getAttribute('title') ?? '', whole };
  });
}

type Shown = ReturnType<Page['locator']>;

/** With the spaces of a keyboard, since each version of ICU has its own. */
async function words(shown: Shown): Promise<string> {
  return (await shown.innerText()).replace(/\s/g, ' ');
}

async function titleOf(shown: Shown): Promise<string> {
  return ((await shown.getAttribute('title')) ?? '').replace(/\s/g, ' ');
}
