/** Settings, sign-in and ratings where answers come late or somebody presses twice: each thing happens once, and what is newest counts. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Person } from '../support/service.js';
import { newcomer } from '../support/threads.js';
import { describeWeb, password } from './browser.js';
import { drawn, HeldAnswers } from './conversation/held-answers.js';
import { answered, startThread } from './pages/pages.js';

describeWeb('settings with delayed HTTP responses', (world) => {
  it('creates one token for two clicks, and keeps it in the list when an older list arrives; undoes a failed rating with a message, but not the one that followed it; stays signed in when a request of the previous session is refused late', async () => {
    const person = await newcomer(world.service);
    const page = await world.open(person, '/settings');
    const lists = await HeldAnswers.of(page, { operation: 'AccessTokens' });
    const making = await HeldAnswers.of(page, { operation: 'CreateAccessToken' });
    await page.getByRole('link', { name: 'API tokens' }).click();
    await lists.waitFor(1);
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly report');
    const button = page.getByRole('button', { name: 'Create token' });
    await button.click();
    await button.click({ force: true });
    await making.waitFor(1);
    making.end();
    await page.getByText(/^skn_pat_/).waitFor();
    await lists.waitFor(2);
    lists.release(1);
    await page.getByRole('button', { name: 'Revoke Nightly report' }).waitFor();
    const older = page.waitForEvent('requestfinished');
    lists.release(0);
    await older;
    await drawn(page);
    expect(await page.getByRole('button', { name: 'Revoke Nightly report' }).count()).toBe(1);
    expect(making.count, 'tokens that were asked for').toBe(1);

    await page.getByRole('button', { name: 'I have copied it' }).click();
    await startThread(page, 'Hello');
    await answered(page);
    const rating = await HeldAnswers.of(page, { operation: 'SubmitFeedback', isLost: true });
    await page.getByRole('button', { name: 'Good answer' }).click();
    await page.getByRole('button', { name: 'Bad answer' }).click();
    await page.getByRole('dialog').press('Escape');
    await rating.waitFor(1);
    await drawn(page);
    expect(rating.count, 'ratings under way').toBe(1);
    const stored = page.waitForResponse((answer) => /SubmitFeedback/.test(answer.request().postData() ?? ''));
    rating.end();
    await stored;
    await expect.poll(() => pressed(page)).toEqual(['Bad answer']);
    const lost = await HeldAnswers.of(page, { operation: 'SubmitFeedback', isLost: true });
    await page.getByRole('button', { name: 'Good answer' }).click();
    await lost.waitFor(1);
    lost.end();
    await page.getByText('The service cannot be reached').waitFor();
    await expect.poll(() => pressed(page)).toEqual(['Bad answer']);
    await page.reload();
    await answered(page);
    await expect.poll(() => pressed(page)).toEqual(['Bad answer']);
    await staysSignedIn(page, person);
  });

  async function staysSignedIn(page: Page, person: Person): Promise<void> {
    // Five seconds after the page was loaded, a thread subscribes to who is there: a refusal of that would come first.
    await page.getByRole('link', { name: 'New thread' }).click();
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    await page.context().clearCookies();
    const old = await HeldAnswers.of(page, { operation: 'Threads' });
    await page.getByRole('button', { name: 'Mine' }).click();
    await old.waitFor(1);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password').fill(password);
    old.letThrough();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    const refusal = page.waitForResponse((response) => response.status() === 401);
    old.end();
    await refusal;
    await drawn(page);
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  }

  it('stays on a page that was reached when an earlier attempt fails late', async () => {
    const person = await newcomer(world.service);
    const page = await world.signedIn(person);
    const asked = await HeldAnswers.of(page, { operation: 'Me', isLost: true });
    await page.goto('/');
    await asked.waitFor(1);
    asked.release(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await asked.waitFor(3);
    const failed = page.waitForEvent('requestfailed');
    asked.release(2);
    await failed;
    asked.letThrough();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    const last = page.waitForEvent('requestfailed');
    asked.end();
    await last;
    await drawn(page);
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    expect(await page.getByText('The service cannot be reached').count()).toBe(0);
  });
});

function pressed(page: Page): Promise<(string | null)[]> {
  return page
    .getByRole('button', { name: / answer$/, pressed: true })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
}
