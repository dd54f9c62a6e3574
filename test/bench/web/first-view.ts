/** What a first view of a page loads: the bytes of its scripts as they come over the wire, compressed. */
import type { BrowserContext } from 'playwright-core';
import type { BenchContext, Row } from '../bench.js';
import type { Site } from './site.js';

export const limitKb = 180;

export async function measureFirstViews({ progress }: BenchContext, site: Site, threadId: string): Promise<Row[]> {
  progress('first views');
  return [
    await measureFirstView(site, { what: 'a conversation', path: `/threads/${threadId}` }),
    await measureFirstView(site, { what: 'the list of threads', path: '/' }),
  ];
}

async function measureFirstView({ context }: Site, { what, path }: { what: string; path: string }): Promise<Row> {
  const { kilobytes, files } = await scriptsOfFirstView(context, path);
  const ours = `${kilobytes.toFixed(1)} KB in ${files} files`;
  return {
    what: `JavaScript of the first view of ${what}`,
    ours,
    baseline: '',
    measured: kilobytes,
    unit: 'KB',
    limit: limitKb,
  };
}

/** Opens a page without a cache. A conversation must have a message with highlighted code, which loads most. */
export async function scriptsOfFirstView(
  context: BrowserContext,
  path: string,
): Promise<{ kilobytes: number; files: number }> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const scripts = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.set(requestId, 0);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scripts.set(requestId, encodedDataLength);
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(path);
  await page.getByRole('navigation', { name: 'Threads' }).getByRole('listitem').first().waitFor();
  if (path !== '/') await page.locator('.hljs-keyword').first().waitFor();
  await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
  await page.close();
  const bytes = [...scripts.values()].reduce((sum, size) => sum + size, 0);
  return { kilobytes: bytes / 1000, files: scripts.size };
}
