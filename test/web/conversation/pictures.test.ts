/** The pictures of a message: several stand side by side, and each opens large. */
import { beforeAll, expect, it } from 'vitest';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, answeredThread, attach, composer } from '../pages/pages.js';

describeWeb('the pictures of a message', (world) => {
  let threadId: string;
  const view = { width: 390, height: 844 };
  let page: Awaited<ReturnType<typeof world.signedIn>>;
  beforeAll(async () => {
    page = await world.signedIn(await newcomer(world.service), view);
    threadId = await answeredThread(page, 'Hello');
  });

  it('shows at least three side by side on a phone, also those of the same name, and leaves the order and the other files in place', async () => {
    const names = ['a.png', 'notes.md', 'same.png', 'same.png', 'd.png'];
    await attach(page, names);
    await composer(page).press('Enter');
    await answered(page);
    const pictures = page.getByRole('article').locator('.picture');
    await expect.poll(() => pictures.count()).toBe(4);
    expect(await pictures.locator('img').evaluateAll((all) => all.map((one) => one.getAttribute('alt')))).toEqual(
      names.filter((name) => name.endsWith('.png')),
    );
    await page.getByRole('link', { name: /notes\.md/ }).waitFor();
    const boxes = await pictures.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    expect(new Set(boxes.map(({ width, height }) => `${width - height}`))).toEqual(new Set(['0']));
    expect(boxes[1].y).toBe(boxes[2].y);
    expect(boxes[0].width * 3).toBeGreaterThan(290);
  });

  it('opens one large, leads to the others and around, and gives the focus back', async () => {
    expect(new URL(page.url()).pathname).toBe(`/threads/${threadId}`);
    const link = page.getByRole('article').getByRole('link', { name: 'd.png' });
    await link.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'd.png' });
    await dialog.getByText('4 of 4').waitFor();
    await dialog.getByRole('button', { name: 'Next picture' }).press('Enter');
    const first = page.getByRole('dialog', { name: 'a.png' });
    await first.getByText('1 of 4').waitFor();
    expect(await first.getByRole('link', { name: 'Original' }).getAttribute('href')).toMatch(/^\/attachments\//);
    await first.getByRole('button', { name: 'Previous picture' }).press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(page.context().pages()).toHaveLength(1);
  });
});
