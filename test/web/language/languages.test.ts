/** The language of the application: that of the browser until another one is chosen on the device, and loaded alone. */
import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { createId } from '../../../src/ids.js';
import { gate, text } from '../../support/model/model-script.js';
import { addThreads, colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb, password } from '../browser.js';
import { violations } from '../pages/axe.js';
import { outOfPlace } from '../pages/out-of-place.js';
import { goTo } from '../pages/pages.js';
import { windows } from '../pages/windows.js';

const catalogue = /\/assets\/(de|fr|es|zh|ar)-[^/]+\.js$/;
/** What a catalogue adds to a first view in English, compressed. */
const catalogueKb = 10;

describeWeb('the language of the application', (world) => {
  it('is that of the browser on the sign-in page, where no English is seen before it is there; says in its words what the service refuses, by the code of the reason, and for how long', async () => {
    const person = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
    await world.givePassword(person);
    const page = await world.visitor({ locale: 'de-AT' });
    const held = gate();
    await page.route(catalogue, async (route) => {
      await held.passed;
      await route.continue();
    });
    const asked = page.waitForRequest(catalogue);
    await page.goto('/');
    await asked;
    await page.evaluate("fetch('/auth/methods')");
    expect(await page.locator('body').innerText()).toBe('Skein');
    held.open();
    await page.getByRole('heading', { name: 'Bei Skein anmelden' }).waitFor();
    expect(await languageOf(page)).toEqual({ lang: 'de', dir: 'ltr', title: 'Anmelden · Skein' });
    await page.getByLabel('E-Mail-Adresse').fill(person.email);
    await page.getByLabel('Passwort').fill('not the password at all');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('E-Mail-Adresse oder Passwort ist falsch.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Passwort').fill(password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('heading', { name: 'Woran wollen wir arbeiten?' }).waitFor();

    await goTo(page, '/settings/members');
    const newLink = page.getByRole('button', { name: /^Neuer Link für/ });
    await newLink.waitFor();
    const { database } = world.service;
    const { organizationId } = await database.user.update({ where: { id: person.id }, data: { role: 'member' } });
    await newLink.click();
    await page.getByText('Das darf nur ein Administrator.').waitFor();
    const terms = { scope: 'organization', unit: 'tokens', period: 'month', maximum: 0 };
    await database.budget.create({ data: { id: createId('bud'), organizationId, ...terms } });
    await goTo(page, '/new');
    await page.locator('.composer textarea').fill('Hallo');
    await page.locator('.composer textarea').press('Enter');
    await page.getByText('Das Budget für Antworten ist aufgebraucht.').waitFor();
    const extensions = { code: 'RATE_LIMITED', retryAfter: 1 };
    await page.route('/graphql', (route) => route.fulfill({ json: { errors: [{ message: 'Too many', extensions }] } }));
    await page.locator('.composer textarea').press('Enter');
    const wait = page.getByText('Versuchen Sie es in 1 s erneut.');
    await wait.waitFor();
    await wait.waitFor({ state: 'detached' });
  });

  it('is that of the browser on the page of a sign-in link too', async () => {
    const page = await world.visitor({ locale: 'ar', ...windows.phone });
    await page.goto(await world.link(await newcomer(world.service)));
    await page.getByRole('heading', { name: 'مرحبًا بك في Skein' }).waitFor();
    expect(await languageOf(page)).toMatchObject({ lang: 'ar', dir: 'rtl' });
    expect([...(await violations(page)), ...(await outOfPlace(page))]).toEqual([]);
  });

  it('is loaded alone, and adds little to the first view of a conversation; is mirrored in Arabic: list, messages, composer, menus and dialogs; has its plurals, and a name in a text as it is', async () => {
    const person = await newcomer(world.service);
    world.service.model.enqueue([text('```js\nconst one = 1;\n```')]);
    const { threadId } = await person.rest.readyThread({ text: 'Show me some code' });
    const names = Array.from({ length: 12 }, (_, n) => ({ name: `Costs $& ${n}` }));
    await addThreads(world.service, person, names);
    const page = await world.signedIn(person, { locale: 'ar' });
    const catalogues: Request[] = [];
    page.on('requestfinished', (request) => catalogue.test(request.url()) && catalogues.push(request));
    await page.goto(`/threads/${threadId}`);
    await page.locator('.hljs-keyword').first().waitFor();
    await page.locator('.thread-link').first().waitFor();
    expect(catalogues.map((request) => catalogue.exec(request.url())?.[1])).toEqual(['ar']);
    const sizes = await catalogues[0]?.sizes();
    expect((sizes?.responseBodySize ?? Number.POSITIVE_INFINITY) / 1000).toBeLessThan(catalogueKb);
    await page.getByRole('button', { name: 'إجابة جيدة' }).waitFor();
    await isMirrored(page);
    await hasPlurals(page);
  });

  it('is chosen in the settings, at once and without a reload, kept on the device, and stays if the texts of another do not load', async () => {
    const person = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
    const page = await world.signedIn(person, windows.phone);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(...(catalogue.exec(request.url()) ?? [])));
    // A font that is late is not used: that of the device may be wider.
    await page.route('**/*.woff2', (route) => route.abort());
    await page.goto('/settings');
    await page.evaluate('window.isSame = true');
    const tabs = page.locator('.settings-tabs');
    const choice = page.getByRole('combobox', { name: 'Language of the application' });
    await choice.waitFor();
    expect(await choice.locator('option').allInnerTexts()).toEqual([
      'That of the browser (English)',
      ...['English', 'Deutsch', 'Français', 'Español', '中文（简体）', 'العربية'],
    ]);
    // English is in the scripts.
    expect(loaded).toEqual([]);
    await page.route(catalogue, (route) => route.abort());
    await choice.selectOption('de');
    await page.getByText('The texts in this language did not load.').waitFor();
    expect(await languageOf(page)).toMatchObject({ lang: 'en', dir: 'ltr' });
    await page.unroute(catalogue);
    const other = await page.context().newPage();
    await other.goto('/new');
    const headings: Record<string, string> = {
      fr: 'Paramètres',
      es: 'Ajustes',
      zh: '设置',
      ar: 'الإعدادات',
      de: 'Einstellungen',
    };
    for (const [code, heading] of Object.entries(headings)) {
      await page.locator('select').first().selectOption(code);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      // On a phone all pages of the settings are in sight.
      expect(await tabs.evaluate((nav) => nav.scrollWidth - nav.clientWidth), code).toBeLessThanOrEqual(0);
    }
    expect(await page.evaluate('window.isSame')).toBe(true);
    // The other tab follows.
    await other.getByRole('heading', { name: 'Woran wollen wir arbeiten?' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
    await page.locator('select').first().selectOption('');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  });

  async function isMirrored(page: Page): Promise<void> {
    expect(await languageOf(page)).toMatchObject({ lang: 'ar', dir: 'rtl' });
    const middle = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return box ? box.x + box.width / 2 : Number.NaN;
    };
    expect(await middle('.panel')).toBeGreaterThan(await middle('.stage'));
    expect(await middle('.message-user > .plain')).toBeLessThan(await middle('.messages'));
    expect(await middle('.composer-box [type=submit]')).toBeLessThan(await middle('.composer-box textarea'));
    expect(await middle('.thread-facts')).toBeLessThan(await middle('.thread-name'));
    await page.getByRole('button', { name: 'إجراءات هذه المحادثة' }).click();
    await page.getByRole('menuitem', { name: 'إعادة التسمية' }).waitFor();
    expect(await middle('.menu .lucide')).toBeGreaterThan(await middle('.menu'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'البحث عن محادثة أو أمر' }).waitFor();
    expect(await middle('.palette-item .lucide')).toBeGreaterThan(await middle('.palette-item bdi'));
    await page.keyboard.press('Escape');
    // The edge of the list is at its left, and the arrows move it where they point.
    const edge = page.getByRole('separator', { name: 'عرض قائمة المحادثات' });
    const before = Number(await edge.getAttribute('aria-valuenow'));
    await edge.press('ArrowLeft');
    await expect.poll(async () => Number(await edge.getAttribute('aria-valuenow'))).toBe(before + 16);
  }

  async function hasPlurals(page: Page): Promise<void> {
    await goTo(page, '/new');
    const rows = page.locator('.thread-row');
    await rows.nth(11).waitFor();
    await rows.first().hover();
    // A name is a value, and no pattern; in its own direction, its signs keep their places.
    await page.getByRole('button', { name: 'إجراءات \u2068Costs $& 11\u2069' }).click();
    await page.getByRole('menuitem', { name: 'تحديد', exact: true }).click();
    const said: Record<number, string> = {
      1: 'حُدّدت محادثة واحدة',
      2: 'حُدّدت محادثتان',
      3: 'حُدّدت 3 محادثات',
      11: 'حُدّدت 11 محادثة',
    };
    for (let count = 1; count <= 11; count += 1) {
      if (count > 1)
        await rows
          .nth(count - 1)
          .locator('a')
          .click();
      const words = said[count];
      if (words) await page.getByText(words, { exact: true }).waitFor();
    }
  }
});

function languageOf(page: Page): Promise<unknown> {
  return page.evaluate(
    '({ lang: document.documentElement.lang, dir: document.documentElement.dir, title: document.title })',
  );
}
