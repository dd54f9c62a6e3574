/** The import of conversations in the settings, from files as other services export them. */
import type { FileChooser } from 'playwright-core';
import { expect, it } from 'vitest';
import { exportBytes, exportPath, zipOf } from '../modules/import/exports.js';
import { newcomer } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { focused } from './focus.js';
import { submitSignIn, threadList } from './pages/pages.js';

describeWeb('the import of conversations', (world) => {
  it('goes on while another page is shown, says there how far it is, stops where somebody stops it, and ends with the session', async () => {
    const owner = await newcomer(world.service);
    const page = await world.open(owner, '/settings/account');
    const held: (() => void)[] = [];
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation ImportConversations')) {
        await new Promise<void>((resolve) => held.push(resolve));
      }
      await route.continue();
    });
    const input = page.locator('input[type=file]');
    await input.setInputFiles([exportPath('chatGpt'), exportPath('openWebUi')]);
    const progress = page.getByRole('progressbar', { name: 'Import conversations' });
    await progress.waitFor();
    const away = async (name: string) => {
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { name: 'API tokens', level: 2 }).waitFor();
    };
    await away('API tokens');
    await page.getByRole('link', { name: 'Account' }).click();
    await progress.waitFor();
    const goOn = async (count: number) => {
      await expect.poll(() => held.length).toBe(count);
      held.at(-1)?.();
    };
    await goOn(1);
    await page.getByText('Imported so far: 2').waitFor();
    await away('API tokens');
    await goOn(2);
    await page.getByRole('link', { name: 'Account' }).click();
    await page
      .getByRole('status')
      .getByText(/^\d+ imported, 0 already there/)
      .waitFor();

    await input.setInputFiles([exportPath('chatGpt'), exportPath('openWebUi')]);
    await expect.poll(() => held.length).toBe(3);
    await page.getByRole('button', { name: 'Stop the import' }).press('Enter');
    await goOn(3);
    await page.getByText('The import was stopped. What was imported stays').waitFor();
    await focused(page, 'Choose files');

    await input.setInputFiles([exportPath('chatGpt'), exportPath('openWebUi')]);
    await expect.poll(() => held.length).toBe(4);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await submitSignIn(page, owner);
    await page.getByText('This browser').waitFor();
    const answered = page.waitForResponse((response) => response.request().postData()?.includes('ImportConv') ?? false);
    await goOn(4);
    await answered;
    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText('This browser').waitFor();
    expect(await progress.count(), 'of the session before').toBe(0);
    expect(await page.getByText('choose the same files').count(), 'of the session before').toBe(0);
    expect(held).toHaveLength(4);
  });

  it('shows how far it is and what was left out, adds the threads to the list, and goes on where it failed', async () => {
    const page = await world.open(await newcomer(world.service), '/settings/account');
    const choose = async (files: Parameters<FileChooser['setFiles']>[0]) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose files' }).click();
      await (await chooser).setFiles(files);
    };
    const status = page.getByRole('status');
    await choose({ name: 'diary.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear diary') });
    await page.getByRole('alert').getByText('This is no export of another service.').waitFor();

    let isFirst = true;
    let resume = (): void => undefined;
    const seen = new Promise<void>((resolve) => {
      resume = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation ImportConversations')) return route.continue();
      if (!isFirst) return route.continue();
      isFirst = false;
      await seen;
      return route.abort();
    });
    const archive = zipOf([{ name: 'conversations.json', content: exportBytes('chatGpt') }]);
    const chatGpt = { name: 'export.zip', mimeType: 'application/zip', buffer: archive };
    await choose(chatGpt);
    await page.getByRole('progressbar', { name: 'Import conversations' }).waitFor();
    resume();
    await page.getByRole('alert').getByText('choose the same files again to go on.').waitFor();
    await choose(chatGpt);
    await status.getByText('2 imported, 0 already there, 2 left out.').waitFor();
    await page.getByText('Damaged or in an unknown format: 1').waitFor();
    await page.getByText('Calls of tools: 2').waitFor();
    await choose([exportPath('chatGpt'), exportPath('openWebUi'), exportPath('libreChat')]);
    await status.getByText('2 imported, 2 already there, 3 left out.').waitFor();

    await page.getByRole('link', { name: 'Show threads' }).click();
    await threadList(page).first().waitFor();
    await expect
      .poll(async () => (await threadList(page).allInnerTexts()).map((row) => /Boats|Bread|Tea/.exec(row)?.[0]))
      .toEqual(['Boats', 'Bread', 'Tea']);
    await page.getByRole('link', { name: 'Tea in the afternoon' }).click();
    await page.getByText('Steep it at 70 °C.').waitFor();
    await page.getByText('Enjoy it.').waitFor();
  });
});
