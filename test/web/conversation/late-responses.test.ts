/**
 * A conversation where HTTP responses come late, or never: nothing of it is lost or mixed, no news is taken back, and the next
 * message is never held up.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { gate, reasoning, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import {
  answered,
  composer,
  goTo,
  hideElsewhere,
  leaveThread,
  openThread,
  renameElsewhere,
  seen,
  write,
} from '../pages/pages.js';
import { settledSight } from '../pages/sight.js';
import { drawn, HeldAnswers, released, subscriptions } from './held-answers.js';
import { addMessages } from './long-thread.js';

describeWeb('a conversation with delayed HTTP responses', (world) => {
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    person = await newcomer(world.service);
    page = await world.signedIn(person);
  });

  it('does not follow the answer of a thread that was left while it was opening, and keeps an answer stopped when an outdated response arrives', async () => {
    world.service.model.enqueue([text('Half'), wait(gate().passed)]);
    const { threadId, messageId } = await person.rest.createThread({ text: 'Hello', name: 'A thread' });
    await page.goto('/');
    const opening = await HeldAnswers.of(page, { operation: 'Conversation' });
    const followed = subscriptions(page);
    const link = page.getByRole('link', { name: /^(Unread: )?A thread/ });
    await link.click();
    await opening.waitFor(1);
    await leaveThread(page);
    await released(page, opening, 'Conversation');
    expect(followed).not.toContain('ResponseEvents');

    await link.click();
    await seen(page, 'Half');
    const late = await HeldAnswers.of(page, { operation: 'Conversation' });
    await renameElsewhere(person, threadId, 'News');
    await late.waitFor(1);
    await person.graphql.data('mutation ($id: ID!) { stopResponse(messageId: $id) { __typename } }', { id: messageId });
    await seen(page, 'The answer was stopped.');
    late.release(0);
    await late.waitFor(2);
    await drawn(page);
    expect(await page.getByText('The answer was stopped.').count()).toBe(1);
    late.end();
    await seen(page, 'Half');
  });

  it('fetches again what failed to load when it was announced, once more for all that is announced while it fetches, and scrolls to a linked message even if that failed to load at first, and stays at one that is loaded before the list of threads', async () => {
    const threadId = await openThread(page, person);
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
      await renameElsewhere(person, threadId, name);
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
    const threads = await HeldAnswers.of(page, { operation: 'Threads', isLost: true });
    const changes = await HeldAnswers.of(page, { operation: 'ThreadChanged', isLost: true });
    await page.goto(`/threads/${threadId}/messages/${linked}`);
    await page.locator('[data-marked=true]').waitFor();
    await page.locator('.readers-line').waitFor();
    expect((await settledSight(page)).rows).toHaveProperty([linked]);
    for (const held of [threads, changes]) held.end();
  });

  it('keeps hidden what was hidden when an outdated response arrives', async () => {
    const { threadId } = await person.rest.readyThread({ text: 'Between us' });
    const page = await world.open(await colleagueOf(world.service, person), `/threads/${threadId}`);
    await answered(page);
    const late = await HeldAnswers.of(page, { operation: 'Conversation' });
    await renameElsewhere(person, threadId, 'News');
    await late.waitFor(1);
    await hideElsewhere(person, threadId);
    await page.getByText('There is no such thread').waitFor();
    await released(page, late, 'Conversation');
    expect(await page.getByText('Between us').count()).toBe(0);
  });

  it('sends at once when an answer has ended, even if it has not been fetched; shows an interrupting message after the answer, and keeps the thinking of the answer', async () => {
    await openThread(page, person);
    const { model } = world.service;
    const end = gate();
    model.enqueue(
      [text('Half'), wait(end.passed)],
      [reasoning('Hm.'), text('On and on'), wait(gate().passed)],
      [text('Something else')],
    );
    await write(page, 'First');
    await seen(page, 'Half');
    const late = await HeldAnswers.of(page, { operation: 'Conversation' });
    end.open();
    await late.waitFor(1);
    await page.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'detached' });
    await write(page, 'Second');
    await seen(page, 'On and on');
    late.end();
    // Loaded, which the time beside it tells: until then, the next message that is sent takes its place.
    const conversation = page.getByRole('region', { name: 'Conversation' });
    await expect.poll(() => conversation.innerText()).toMatch(/Half.*Second\s+\d+:\d+.*On and on/s);

    const sending = await HeldAnswers.of(page, { operation: 'SendMessage' });
    const fetching = await HeldAnswers.of(page, { operation: 'Conversation' });
    await write(page, 'Third');
    await page.getByRole('button', { name: 'Interrupt and send' }).click();
    await sending.waitFor(1);
    expect(await conversation.innerText()).toMatch(/Second.*On and on.*Third/s);
    sending.end();
    await seen(page, 'Something else');
    fetching.end();
    await expect.poll(() => page.getByText('Reasoning').count()).toBe(1);
  });

  it('stops the answer to a new message even if it was announced before the message was accepted; reports that one could not be stopped, and stops it when asked again', async () => {
    await openThread(page, person);
    const { model } = world.service;
    model.enqueue([text('Half'), wait(gate().passed)], [text('On and on'), wait(gate().passed)]);
    const sending = await HeldAnswers.of(page, { operation: 'SendMessage' });
    const fetching = await HeldAnswers.of(page, { operation: 'Conversation' });
    await write(page, 'And then?');
    await page.getByRole('button', { name: /^Stop/ }).click();
    await fetching.waitFor(1);
    fetching.end();
    await seen(page, 'The answer was stopped.');
    sending.end();

    await write(page, 'Once more');
    await seen(page, 'On and on');
    const stopping = await HeldAnswers.of(page, { operation: 'StopResponse', isLost: true });
    await page.getByRole('button', { name: /^Stop/ }).click();
    await stopping.waitFor(1);
    stopping.release(0);
    stopping.letThrough();
    await page.getByText('The service cannot be reached').waitFor();
    await page.getByRole('button', { name: /^Stop/ }).click();
    await expect.poll(() => page.getByText('The answer was stopped.').count()).toBe(2);
    await page.getByText('The service cannot be reached').waitFor({ state: 'detached' });
  });

  it('shows the first message of a thread at once and its answer before either is loaded, and moves neither while the answer outgrows the window; takes along what is written meanwhile, and gives back a message that was not sent', async () => {
    await goTo(page, '/new');
    const lost = await HeldAnswers.of(page, { operation: 'CreateThread', isLost: true });
    const sending = page.getByRole('article', { name: 'Message, being sent' });
    await write(page, 'Where to begin?');
    await sending.waitFor();
    for (const attempt of [0, 1]) {
      await lost.waitFor(attempt + 1);
      lost.release(attempt);
    }
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    expect(await composer(page).inputValue()).toBe('Where to begin?');
    lost.letThrough();

    const creating = await HeldAnswers.of(page, { operation: 'CreateThread' });
    const fetching = await HeldAnswers.of(page, { operation: 'Conversation' });
    const more = gate();
    world.service.model.enqueue([text('Half of it.'), wait(more.passed), text('\n\nAnd on.'.repeat(60))]);
    await composer(page).press('Enter');
    const place = async () => Math.round((await page.getByText('Where to begin?').last().boundingBox())?.y ?? 0);
    await sending.waitFor();
    const first = await place();
    await page.keyboard.type('And th');
    creating.end();
    await seen(page, 'Half of it.');
    await page.keyboard.type('en?');
    expect(await composer(page).inputValue()).toBe('And then?');
    expect([await sending.count(), await place()]).toEqual([1, first]);
    fetching.end();
    await sending.waitFor({ state: 'detached' });
    more.open();
    await page.getByRole('button', { name: 'Good answer' }).waitFor({ state: 'attached' });
    expect(await place()).toBe(first);
  });

  it('does not announce an answer twice if the message was accepted at the second try', async () => {
    await openThread(page, person);
    const first = await HeldAnswers.of(page, { operation: 'SendMessage', isLost: 'onTheWayBack' });
    world.service.model.enqueue([text('All of it.')]);
    await write(page, 'And then?');
    await seen(page, 'All of it.');
    await expect.poll(() => page.getByRole('button', { name: 'Good answer' }).count()).toBe(2);
    const followed = subscriptions(page);
    await released(page, first, 'SendMessage');
    expect(followed).toEqual([]);
  });

  it('sends a message once whose answers are lost, in a thread and as the first of one, though the page is loaded again before it is sent again; the same words, written anew, are another message', async () => {
    const threads = () => world.service.database.thread.count({ where: { ownerId: person.id } });
    const before = await threads();
    await openThread(page, person);
    const again = () => expect.poll(() => composer(page).inputValue());
    const losing = async (operation: string, send: () => Promise<void>) => {
      const lost = await HeldAnswers.of(page, { operation, isLost: 'onTheWayBack' });
      await send();
      for (const attempt of [0, 1]) {
        await lost.waitFor(attempt + 1);
        lost.release(attempt);
      }
      lost.letThrough();
    };
    await losing('SendMessage', () => write(page, 'And then?'));
    await again().toBe('And then?');
    await answered(page);
    await page.reload();
    await answered(page);
    await composer(page).press('Enter');
    await again().toBe('');
    const thread = page.url();
    await goTo(page, '/new');
    await losing('CreateThread', () => write(page, 'And there?'));
    await again().toBe('And there?');
    await composer(page).press('Enter');
    await answered(page);
    expect(await threads()).toBe(before + 2);

    await page.goto(thread);
    await answered(page);
    await write(page, 'And then?');
    await answered(page);
    expect(await page.getByText('And then?', { exact: true }).count()).toBe(2);
  });
});
