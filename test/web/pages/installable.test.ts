/** The application can be installed: its manifest and icons are served as what they are, and Chromium has no objection. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { chromiumPath, launchForTests } from '../chromium.js';

/** The headless shell has nothing to object to any page. */
const canInstall = !/headless-shell$/.test(chromiumPath ?? '');

interface Manifest {
  start_url: string;
  scope: string;
  icons: { src: string; type: string; sizes: string; purpose: string }[];
  shortcuts: { url: string }[];
}

describeWeb('an installed application', (world) => {
  it.skipIf(!canInstall)('is what Chromium makes of the manifest, without an error', async () => {
    const browser = await launchForTests(chromiumPath);
    const page = await browser.newPage();
    await page.goto(`${world.service.url}/healthz`);
    expect(await objections(page)).toEqual(['no-manifest']);
    await page.goto(world.service.url);
    const session = await page.context().newCDPSession(page);
    const { url, errors, data } = await session.send('Page.getAppManifest');
    expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []]);
    expect(data).toContain('"standalone"');
    expect(await objections(page)).toEqual([]);
    await browser.close();
  });

  it('has icons of the sizes that the manifest states, each served as its type', async () => {
    const page = await world.visitor();
    await page.goto('/');
    const answer = await page.request.get('/manifest.webmanifest');
    expect(answer.headers()['content-type']).toBe('application/manifest+json');
    const manifest = (await answer.json()) as Manifest;
    expect([manifest.start_url, manifest.scope, manifest.shortcuts[0]?.url]).toEqual(['/', '/', '/new']);
    for (const { src, type, sizes } of manifest.icons) {
      const icon = await page.request.get(src);
      expect([icon.status(), icon.headers()['content-type']], src).toEqual([200, type]);
      if (type === 'image/png') expect(await sizeOf(page, src), src).toBe(sizes);
    }
    const touchIcon = await page.locator('link[rel=apple-touch-icon]').getAttribute('href');
    expect(await sizeOf(page, touchIcon ?? '')).toBe('180x180');
  });

  it('has the colour of the chosen theme around it, before and after a reload', async () => {
    const page = await world.open(await newcomer(world.service), '/new', { dark: true });
    const button = page.getByRole('button', { name: /^Theme: / });
    await button.waitFor();
    await expect.poll(() => themeColour(page)).toBe('#1b1815');
    await button.click();
    await expect.poll(() => themeColour(page)).toBe('#fcfaf5');
    await page.reload();
    expect(await themeColour(page)).toBe('#fcfaf5');
    await button.click();
    await button.click();
    await expect.poll(() => themeColour(page)).toBe('#1b1815');
  });
});

/** Why Chromium would not install the page. That the window is a private one, as in every test, is left out. */
async function objections(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  return installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito');
}

/** The width and height of an image as the page shows it. */
function sizeOf(page: Page, src: string): Promise<string> {
  return page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return `${image.naturalWidth}x${image.naturalHeight}`;
  }, src);
}

/** The first whose media match, as the standard says. */
function themeColour(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')];
    return metas.find(({ media }) => matchMedia(media).matches)?.content;
  });
}
