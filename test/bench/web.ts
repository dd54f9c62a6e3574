/**
 * How the web application feels: what its first view loads, how soon the first token is seen, and whether the page stays smooth
 * while an answer streams. One browser, as the tests start it, and one service.
 */
import { hasBrowser } from '../web/chromium.js';
import type { Bench } from './bench.js';
import { measureFirstToken } from './web/first-token.js';
import { measureFirstViews } from './web/first-view.js';
import { measureFrames } from './web/frames.js';
import { openSite } from './web/site.js';
import { makeThread } from './web/thread.js';

export const web: Bench = {
  name: 'web',
  summary: 'the web application: first view, first token, frames',
  async run(context) {
    if (!hasBrowser) return [{ what: 'all', ours: 'skipped: no chromium in PATH', baseline: '' }];
    const site = await openSite(context.stage);
    try {
      const threadId = await makeThread(site);
      const views = await measureFirstViews(context, site, threadId);
      const page = await site.context.newPage();
      await page.goto(`/threads/${threadId}`);
      const firstToken = await measureFirstToken(context, site, page);
      const frames = await measureFrames(context, site, page);
      await page.close();
      return [...views, firstToken, ...frames];
    } finally {
      await site.close();
    }
  },
};
