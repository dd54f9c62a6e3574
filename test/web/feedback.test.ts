/** The ratings of an organization in the browser: what administrators read, and that nobody else does. */
import { expect, it } from 'vitest';
import { colleagueOf, newcomer } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { answered, goTo, startThread } from './pages/pages.js';

describeWeb('feedback in the browser', (world) => {
  it('shows an administrator who rated what, with the comment, and leads to the answer; it is no page for a member', async () => {
    const grace = await newcomer(world.service, { name: 'Grace' });
    const rating = await world.signedIn(grace);
    const threadId = await startThread(rating, 'Hello');
    await answered(rating);
    await rating.getByRole('button', { name: 'Bad answer' }).click();
    await rating.getByRole('textbox', { name: 'Comment' }).fill('It rambles');
    await rating.getByRole('button', { name: 'Save comment' }).click();
    await rating.getByRole('dialog').waitFor({ state: 'detached' });

    await goTo(rating, '/settings');
    await rating.getByRole('link', { name: 'API tokens' }).waitFor();
    expect(await rating.getByRole('link', { name: 'Feedback' }).count()).toBe(0);
    await goTo(rating, '/settings/feedback');
    await rating.getByRole('heading', { name: 'This page is for administrators' }).waitFor();

    const page = await world.open(await colleagueOf(world.service, grace, { role: 'admin' }), '/settings');
    await page.getByRole('link', { name: 'Feedback' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'It rambles' });
    await entry.getByText('Grace').waitFor();
    expect(await entry.innerText()).toContain('Bad answer');
    await page.getByRole('button', { name: 'Good', exact: true }).click();
    await page.getByText('No ratings yet.').waitFor();
    await page.getByRole('button', { name: 'Bad', exact: true }).click();
    await entry.getByRole('link').click();
    await page.waitForURL(new RegExp(`/threads/${threadId}/messages/msg_`));
  });
});
