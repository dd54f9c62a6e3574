/** A conversation where answers come late, or never: nothing of it is lost, and no news is taken back. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, goTo, hideElsewhere, renameElsewhere, seen } from '../pages/pages.js';
import { settledSight } from '../pages/sight.js';
import { drawn, HeldAnswers, released, subscriptions } from './held-answers.js';
import { addMessages } from './long-thread.js';

describeWeb('a conversation with delayed HTTP responses', (world) => {
  let owner: Person;
  let page: Page;
  beforeAll(async () => {
    owner = await newcomer(world.service);
    page = await world.signedIn(owner);
  });

  it('does not follow the answer of a thread that was left while it was opening, and keeps an answer stopped when an outdated response arrives', async () => {
    world.service.model.enqueue([text('Half'), wait(gate().passed)]);
    const { threadId, messageId } = await owner.rest.createThread({ text: 'Hello', name: 'A thread' });
    await page.goto('/');
    const opening = await HeldAnswers.of(page, { operation: 'Conversation' });
    const followed = subscriptions(page);
    const link = page.getByRole('link', { name: /^(Unread: )?A thread/ });
    await link.click();
    await opening.waitFor(1);
    await page.getByRole('link', { name: 'New thread' }).click();
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    await released(page, opening, 'Conversation');
    expect(followed).not.toContain('ResponseEvents');

    await link.click();
    await seen(page, 'Half');
    const late = await HeldAnswers.of(page, { operation: 'Conversation' });
    await renameElsewhere(owner, threadId, 'News');
    await late.waitFor(1);
    await owner.graphql.data('mutation ($id: ID!) { stopResponse(messageId: $id) { __typename } }', { id: messageId });
    await seen(page, 'The answer was stopped.');
    late.release(0);
    await late.waitFor(2);
    await drawn(page);
    expect(await page.getByText('The answer was stopped.').count()).toBe(1);
    late.end();
    await seen(page, 'Half');
  });

  it('fetches again what failed to load when it was announced, once more for all that is announced while it fetches, and scrolls to a linked message even if that failed to load at first, and stays at one that is loaded before the list of threads', async () => {
    const { threadId, messageId } = await owner.rest.readyThread({ text: 'Hello' });
    await goTo(page, `/threads/${threadId}`);
    await page.locator(`article[id=${messageId}]`).waitFor();
    await answered(page);
    const lost = await HeldAnswers.of(page, { operation: 'Conversation', isLost: true });
    const ids = await addMessages(world.service, { threadId, count: 200 });
    await lost.waitFor(1);
    lost.end();
    await seen(page, 'Message number 199.');

    await page.reload();
    await seen(page, 'Message number 199.');
    const late = await HeldAnswers.of(page, { operation: 'Conversation' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(...(/query Conversation\b/.exec(request.postData() ?? '') ?? [])));
    for (const name of ['One', 'Two', 'Three', 'Four']) {
      await renameElsewhere(owner, threadId, name);
      await page.getByRole('heading', { name, exact: true }).waitFor();
    }
    await late.waitFor(1);
    late.release(0);
    await late.waitFor(2);
    await released(page, late, 'Conversation');
    expect(asked).toHaveLength(2);

    const around = await HeldAnswers.of(page, { operation: 'ConversationAround', isLost: true });
    await page.evaluate((path) => history.pushState(null, '', path), `/threads/${threadId}/messages/${ids[0]}`);
    await around.waitFor(1);
    around.end();
    await page.locator('[data-marked=true]').getByText('Message number 0.').waitFor();

    // Few messages follow, so that none is left to load: nothing would lead back to the message.
    const linked = ids[178] ?? '';
    // With either of them, the page would know the thread before its messages, and the line below the field would be there already.
    await HeldAnswers.of(page, { operation: 'Threads', isLost: true });
    await HeldAnswers.of(page, { operation: 'ThreadChanged', isLost: true });
    await page.goto(`/threads/${threadId}/messages/${linked}`);
    await page.locator('[data-marked=true]').waitFor();
    await page.locator('.readers-line').waitFor();
    expect((await settledSight(page)).rows).toHaveProperty([linked]);
  });

  it('keeps hidden what was hidden when an outdated response arrives', async () => {
    const { threadId } = await owner.rest.readyThread({ text: 'Between us' });
    const page = await world.open(await colleagueOf(world.service, owner), `/threads/${threadId}`);
    await answered(page);
    const late = await HeldAnswers.of(page, { operation: 'Conversation' });
    await renameElsewhere(owner, threadId, 'News');
    await late.waitFor(1);
    await hideElsewhere(owner, threadId);
    await page.getByText('There is no such thread').waitFor();
    await released(page, late, 'Conversation');
    expect(await page.getByText('Between us').count()).toBe(0);
  });
});
