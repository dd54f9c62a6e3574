/** The page behind a link in a real browser: it works without a script, and axe finds nothing, light or dark. */
import { readFile } from 'node:fs/promises';
import type { AxeResults } from 'axe-core';
import { expect, it } from 'vitest';
import { describeWeb } from '../../web/browser.js';
import { linkSecret } from '../people.js';

declare const axe: { run(): Promise<AxeResults> };

describeWeb('the page behind a link', (world) => {
  it.each([
    ['light, on a phone', { dark: false, width: 360 }],
    ['dark', { dark: true }],
  ])('lets in, and axe finds nothing: %s', async (_how, view) => {
    const ada = await world.service.person({ name: 'Ada' });
    const page = await world.visitor(view);
    const protocol = await page.context().newCDPSession(page);
    // For axe alone: no page of ours may run what is not a file of ours.
    await protocol.send('Page.setBypassCSP', { enabled: true });
    const source = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
    for (const token of ['nonsense', await linkSecret(world.service, ada)]) {
      await page.goto(`${world.service.url}/auth/link?token=${token}`);
      await page.evaluate(source);
      const { violations } = await page.evaluate(() => axe.run());
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    }
    await page.getByLabel('Choose a password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'skein.session_token', httpOnly: true, sameSite: 'Lax' });
  });
});
