/** What a first view of a page loads: the bytes of its scripts as they come over the wire, compressed. */
import type { BenchContext, Row } from '../bench.js';
import type { Site } from './site.js';

const limitKb = 180;

export async function measureFirstViews({ progress }: BenchContext, site: Site, threadId: string): Promise<Row[]> {
  progress('first views');
  return [
    await measureFirstView(site, { what: 'a conversation', path: `/threads/${threadId}` }),
    await measureFirstView(site, { what: 'the list of threads', path: '/' }),
  ];
}

async function measureFirstView({ context }: Site, { what, path }: { what: string; path: string }): Promise<Row> {
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
  const kilobytes = [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000;
  const ours = `${kilobytes.toFixed(1)} KB in ${scripts.size} files`;
  return {
    what: `JavaScript of the first view of ${what}`,
    ours,
    baseline: '',
    measured: kilobytes,
    unit: 'KB',
    limit: limitKb,
  };
}
