/** What the first view of a conversation waits for, and what makes the application one that can be installed. */
import type { Page, Request } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { worthwhileBytes } from '../../../src/http/answers/encodings.js';
import { limitKb, scriptsOfFirstView } from '../../bench/web/first-view.js';
import { gate, text } from '../../support/model/model-script.js';
import { addThreads, newcomer } from '../../support/threads.js';
import { describeWeb, password } from '../browser.js';
import { chromiumPath, launchForTests } from '../chromium.js';
import { seen, threadList } from './pages.js';

/** The headless shell has nothing to object to any page. */
const canInstall = !/headless-shell$/.test(chromiumPath ?? '');

interface Manifest {
  start_url: string;
  scope: string;
  icons: { src: string; type: string; sizes: string; purpose: string }[];
  shortcuts: { url: string }[];
}

describeWeb('the application', (world) => {
  describe('the first view of a conversation', () => {
    it('requests the conversation once, before it knows who the user is, and gets all that is worth it in less than a third of its bytes', async () => {
      const person = await newcomer(world.service);
      const seeds = Array.from({ length: 20 }, (_, n) => ({ name: `Thread ${n}` }));
      await addThreads(world.service, person, seeds);
      world.service.model.enqueue([text('Words of an answer, and more of them. '.repeat(100))]);
      const { threadId } = await person.rest.readyThread({ text: 'Tell me much' });
      const page = await world.signedIn(person);
      const answers: Promise<{ operation: string; content: number; sent: number; coding: string | null }>[] = [];
      const note = (request: Request) => {
        if (request.method() === 'POST' && request.url().endsWith('/graphql')) answers.push(measure(request));
      };
      page.on('requestfinished', note);
      const asked: string[] = [];
      const conversation = gate();
      await page.route('**/graphql', async (route) => {
        const { query = '' } = route.request().postDataJSON() as { query?: string };
        const name = /\bquery (\w+)/.exec(query)?.[1] ?? '';
        asked.push(name);
        if (name === 'Conversation') conversation.open();
        if (name === 'Me') await conversation.passed;
        await route.continue();
      });
      await page.goto(`/threads/${threadId}`);
      await seen(page, 'Tell me much');
      expect(asked.filter((name) => name === 'Conversation')).toHaveLength(1);
      await threadList(page).nth(20).waitFor();
      await vi.waitFor(
        async () => {
          const operations = (await Promise.all(answers)).map(({ operation }) => operation);
          expect(operations).toEqual(expect.arrayContaining(['Conversation', 'Threads']));
        },
        { timeout: 20_000 },
      );
      // What the page asks for later could not be measured any more: it is closed with the test.
      page.off('requestfinished', note);
      const large = (await Promise.all(answers)).filter(({ content }) => content >= worthwhileBytes);
      expect(large.filter(({ coding }) => coding !== 'br')).toEqual([]);
      const sum = (size: 'content' | 'sent') => large.reduce((bytes, answer) => bytes + answer[size], 0);
      expect(sum('content')).toBeGreaterThan(10_000);
      expect(sum('sent')).toBeLessThan(sum('content') / 3);
    });

    it(`loads at most ${limitKb} KB of scripts, with highlighted code`, async () => {
      const person = await newcomer(world.service);
      world.service.model.enqueue([text('```js\nconst one = 1;\n```')]);
      const { threadId } = await person.rest.readyThread({ text: 'Show me some code' });
      const page = await world.signedIn(person, { isFirstVisit: true });
      const { kilobytes, files } = await scriptsOfFirstView(page.context(), `/threads/${threadId}`);
      expect(files).toBeGreaterThan(0);
      expect(kilobytes).toBeLessThanOrEqual(limitKb);
    });

    it('is painted before its scripts, and requests the conversation again after a user signs in at its address', async () => {
      const person = await newcomer(world.service);
      const { threadId } = await person.rest.readyThread({ text: 'For who is signed in' });
      await world.givePassword(person);
      const page = await world.visitor();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.resourceType()));
      await page.goto(`/threads/${threadId}`);
      await page.getByLabel('Password').waitFor();
      expect(asked.slice(0, 3)).toEqual(['document', 'script', 'stylesheet']);
      await page.getByLabel('E-mail address').fill(person.email);
      await page.getByLabel('Password').fill(password);
      await page.getByLabel('Password').press('Enter');
      await seen(page, 'For who is signed in');
    });
  });

  describe('an installed application', () => {
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
});

/** The bytes of an answer, as content and as they came over the wire. */
async function measure(request: Request) {
  const operation = /query (\w+)/.exec(request.postData() ?? '')?.[1] ?? '';
  const response = await request.response();
  const content = (await response?.body())?.length ?? 0;
  const coding = (await response?.headerValue('content-encoding')) ?? null;
  return { operation, content, sent: (await request.sizes()).responseBodySize, coding };
}

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
