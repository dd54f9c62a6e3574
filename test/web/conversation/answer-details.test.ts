/** What an answer took is shown when it is asked for, and not loaded before. */
import { expect, it } from 'vitest';
import { finish, httpError, text, usage } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWebWith } from '../browser.js';
import { answeredThread } from '../pages/pages.js';

const prices = { 'compatible:scripted': { input: 2, output: 10 } };
const models = 'compatible:away, compatible:scripted';
const environment = { AI_MODEL: models, AI_PRICES: JSON.stringify(prices) };

describeWebWith('the details of an answer', { environment }, (world) => {
  it('are the model that has answered, tokens, cost and time, and the focus returns to the button that showed them', async () => {
    const page = await world.signedIn(await newcomer(world.service));
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('query Generation')) asked.push(request.url());
    });
    world.service.model.enqueue([httpError(503)], [text('Three.'), usage(1234, 56), finish()]);
    await answeredThread(page, 'How many letters has tea?');
    expect(asked).toEqual([]);
    const button = page.getByRole('button', { name: 'Details' });
    await button.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Details of this answer' });
    await dialog.getByText('1,234').waitFor();
    const facts = await dialog.locator('dl > div').allInnerTexts();
    expect(facts.map((fact) => fact.replace(/\s+/g, ' '))).toEqual([
      ...['Model compatible:scripted', 'Input tokens 1,234', 'Output tokens 56', 'Cost 0.00303'],
      expect.stringMatching(/^Time to first token [\d.]+ sec$/),
      expect.stringMatching(/^Total time [\d.]+ sec$/),
    ]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
