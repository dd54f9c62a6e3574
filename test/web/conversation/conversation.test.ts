/** Conversations in the browser, on the real service: what people see and can do while an answer comes, and after it. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { MessageBody, PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import { finish, gate, httpError, reasoning, text, toolCall, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import {
  answered,
  answeredThread,
  answers,
  attach,
  composer,
  goTo,
  seen,
  startThread,
  threadList,
  write,
} from '../pages/pages.js';
import { drawn, HeldAnswers } from './held-answers.js';

describeWeb('a conversation in the browser', (world) => {
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    person = await newcomer(world.service);
    page = await world.signedIn(person);
  });

  it('shows the first thread: tokens as they come, Markdown, and the thread in the list; its reasoning is folded after a reload, and loaded where it is opened; one model leaves no choice', async () => {
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    const middle = gate();
    const thought = 'Tea has three letters.';
    world.service.model.enqueue([reasoning(thought), text('Some **bold** wor'), wait(middle.passed), text('ds.')]);
    await startThread(page, 'Hello there');
    await seen(page, 'wor');
    await expect.poll(() => page.getByText('Reasoning').count()).toBe(1);
    await threadList(page).first().getByText('Answering').waitFor();
    middle.open();
    await answered(page);
    await expect.poll(() => answers(page).locator('strong').innerText()).toBe('bold');
    await expect.poll(() => answers(page).locator('.rich').innerText()).toBe('Some bold words.');
    await expect.poll(() => threadList(page).first().innerText()).toContain('Hello there');
    expect(await page.getByRole('combobox', { name: 'Model' }).count()).toBe(0);
    expect(loaded.filter((url) => url.includes('model-choice'))).toEqual([]);

    await page.reload();
    await seen(page, 'Some bold words.');
    const summary = answers(page).getByText('Reasoning', { exact: true });
    await summary.waitFor();
    expect(await page.getByText(thought).count()).toBe(0);
    await page.route('**/graphql', (route) => route.abort());
    await summary.press('Enter');
    await page.getByText('Close this and open it again').waitFor();
    await page.unroute('**/graphql');
    await summary.press('Enter');
    await summary.press('Enter');
    await page.getByText(thought).waitFor();
  });

  it('stops an answer, also before its first word, and still says so when the conversation goes on and after a reload', async () => {
    world.service.model.enqueue([text('The beginning'), wait(gate().passed)]);
    await startThread(page, 'Begin');
    await seen(page, 'The beginning');
    await page.getByRole('button', { name: /^Stop/ }).click();
    await seen(page, 'The answer was stopped.');
    await expect.poll(() => answers(page).locator('.rich').innerText()).toBe('The beginning');
    await write(page, 'Go on');
    await seen(page, 'Hello from the model.');
    await answered(page);
    const order =
      /Begin.*The beginning.*The answer was stopped\. Stopped by Person \d+\..*Go on.*Hello from the model/s;
    const conversation = page.getByRole('region', { name: 'Conversation' });
    await expect.poll(() => conversation.innerText()).toMatch(order);
    await page.reload();
    await expect.poll(() => conversation.innerText()).toMatch(order);

    world.service.model.enqueue([wait(gate().passed)]);
    const events = await HeldAnswers.of(page, { operation: 'ResponseEvents' });
    await startThread(page, 'Begin');
    await page.getByRole('button', { name: /^Stop/ }).click();
    // The thread says that the answer is over before the stream of the answer does.
    await seen(page, 'The answer was stopped.');
    events.end();
    await write(page, 'Go on');
    await answered(page);
    await expect.poll(() => page.getByText('The answer was stopped.').count()).toBe(1);
    await page.reload();
    await answered(page);
    await expect.poll(() => page.getByText('The answer was stopped.').count()).toBe(1);
  });

  it('shows the whole answer after a reload in its middle, and offers to interrupt one when a message is sent meanwhile', async () => {
    const middle = gate();
    world.service.model.enqueue([text('One two th'), wait(middle.passed), text('ree four')]);
    await startThread(page, 'Count');
    await seen(page, 'One two th');
    await page.reload();
    await seen(page, 'One two th');
    middle.open();
    await answered(page);
    await expect.poll(() => answers(page).locator('.rich').innerText()).toBe('One two three four');

    world.service.model.enqueue([text('An answer without an end'), wait(gate().passed)], [text('Something else')]);
    await write(page, 'First');
    await seen(page, 'An answer without an end');
    await write(page, 'Second');
    await page.getByRole('button', { name: 'Interrupt and send' }).click();
    await seen(page, 'Something else');
    await seen(page, 'An answer without an end');
  });

  it('shows a question with its choices, and sends the chosen one or other words', async () => {
    const question = { question: 'Which one?', choices: ['This', 'That'] };
    world.service.model.enqueue(
      [...toolCall({ id: 'c1', name: 'user_get_choice', arguments: question })],
      [text('So be it.')],
      [...toolCall({ id: 'c2', name: 'user_get_choice', arguments: question })],
      [text('As you like.')],
    );
    await startThread(page, 'Ask me');
    await seen(page, 'Which one?');
    const [asked, choices] = await Promise.all([
      answers(page).last().boundingBox(),
      page.getByRole('group', { name: 'Which one?' }).boundingBox(),
    ]);
    expect(choices?.y).toBeCloseTo((asked?.y ?? 0) + (asked?.height ?? 0), 0);
    await page.getByRole('button', { name: 'That', exact: true }).click();
    await seen(page, 'So be it.');
    await expect.poll(() => page.getByRole('button', { name: 'This', exact: true }).count()).toBe(0);
    await write(page, 'Ask again');
    await page.getByRole('button', { name: 'This', exact: true }).waitFor();
    await write(page, 'Neither');
    await seen(page, 'As you like.');
    await expect.poll(() => page.getByRole('button', { name: 'This', exact: true }).count()).toBe(0);
  });

  it('takes a rating, its comment and its withdrawal, asks what was wrong after a thumb down alone, and shows it after a reload; keeps a comment that Escape left unsaved, until Skip discards it', async () => {
    const threadId = await answeredThread(page, 'Rate me');
    const { feedback } = world.service.database;
    const dialog = page.getByRole('dialog', { name: 'What was wrong?' });
    // First, so that the dialog is loaded already and would open at once.
    await page.getByRole('button', { name: 'Bad answer' }).click();
    await dialog.waitFor();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const saved = page.waitForResponse((answer) => /"positive":true/.test(answer.request().postData() ?? ''));
    await page.getByRole('button', { name: 'Good answer' }).click();
    await saved;
    await drawn(page);
    const good = (pressed: boolean) => page.getByRole('button', { name: 'Good answer', pressed });
    expect(await good(true).count()).toBe(1);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await feedback.findMany({ where: { message: { threadId } } })).toMatchObject([
      { positive: true, text: null },
    ]);
    await good(true).click();
    await expect.poll(() => feedback.count({ where: { message: { threadId } } })).toBe(0);
    await page.reload();
    await good(false).waitFor();

    await page.getByRole('button', { name: 'Bad answer' }).click();
    const comment = page.getByRole('textbox', { name: 'Comment' });
    await comment.fill('Half a complai');
    await comment.press('Escape');
    await page.getByRole('button', { name: 'Add a comment' }).press('Enter');
    await expect.poll(() => comment.inputValue()).toBe('Half a complai');
    await page.getByRole('button', { name: 'Skip' }).press('Enter');
    await page.getByRole('button', { name: 'Add a comment' }).press('Enter');
    await comment.waitFor();
    expect(await comment.inputValue()).toBe('');
    await comment.fill('Too short');
    await page.getByRole('button', { name: 'Save comment' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Bad answer', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Edit your comment' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Too short');
  });

  it('leads on from an error into a new thread with a summary, and keeps a draft after an error through a reload', async () => {
    world.service.model.enqueue([httpError(400, { message: 'No.' })]);
    await startThread(page, 'This will fail');
    await seen(page, 'The assistant failed.');
    await expect.poll(() => composer(page).count()).toBe(0);
    const goOn = page.getByRole('textbox', { name: /^Continue in a new thread/ });
    await goOn.fill('Another try');
    await page.reload();
    await goOn.waitFor();
    await expect.poll(() => goOn.inputValue()).toBe('Another try');
    await page.getByRole('button', { name: 'Continue in a new thread' }).click();
    await seen(page, 'Summary of earlier messages');
    await seen(page, 'Another try');
    await seen(page, 'Hello from the model.');
  });

  it('lets somebody who writes while the answer fails go on in the field of the next thread', async () => {
    const failing = gate();
    world.service.model.enqueue([wait(failing.passed), httpError(400)]);
    await startThread(page, 'This will fail too');
    await composer(page).pressSequentially('And the ');
    failing.open();
    const goOn = page.getByRole('textbox', { name: /^Continue in a new thread/ });
    await goOn.waitFor();
    await page.keyboard.type('rest');
    await expect.poll(() => goOn.inputValue()).toBe('And the rest');
  });

  it('sends a message that failed again in one step, with its file, and tells the two threads apart', async () => {
    world.service.model.enqueue([finish('content_filter')]);
    await goTo(page, '/new');
    await attach(page, ['notes.md']);
    await write(page, 'Where is Rome?');
    await page.waitForURL(/\/threads\/thr_/);
    await seen(page, 'The assistant failed.');
    const failed = page.url();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL((url) => url.href !== failed);
    await seen(page, 'Where is Rome?');
    await seen(page, 'Hello from the model.');
    await page.getByRole('link', { name: /notes\.md/ }).waitFor();
    await expect.poll(() => threadList(page).first().innerText()).toContain('Goes on from an earlier thread');
    await expect.poll(() => threadList(page).nth(1).innerText()).toContain('Failed');
    await goTo(page, new URL(failed).pathname);
    await seen(page, 'This conversation continues in');
    await seen(page, 'Where is Rome?');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('keeps, through a reload, a draft, and the privacy of a new thread, which the next one does not have', async () => {
    await answeredThread(page, 'Hello');
    await composer(page).fill('Half a thou');
    await page.reload();
    await seen(page, 'Hello from the model.');
    await expect.poll(() => composer(page).inputValue()).toBe('Half a thou');
    await goTo(page, '/new');
    await composer(page).fill('For me alone');
    await page.getByRole('radio', { name: 'Only me' }).check();
    await page.reload();
    await composer(page).press('Enter');
    await answered(page);
    await expect.poll(() => threadList(page).first().innerText()).toMatch(/^For me alone\n(.*\n)?Private/);
    await page.getByRole('button', { name: 'Private', exact: true }).click();
    await expect.poll(() => threadList(page).count()).toBe(1);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await goTo(page, '/new');
    await expect.poll(() => page.getByRole('radio', { name: 'Only me' }).isChecked()).toBe(false);
  });

  it('opens the app_url of a thread and of a message, marks that from its beginning, shows the name that was set at creation, and copies the address', async () => {
    // The answer is higher than the window.
    world.service.model.enqueue([text('All roads lead there. '.repeat(500))]);
    const { threadId } = await person.rest.readyThread({ text: 'Where is Rome?', name: 'Trip to Rome' });
    const thread = (await person.rest.get<ThreadBody>(`/threads/${threadId}`)).body;
    const messages = (await person.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`)).body.data;
    await page.goto(new URL(thread.app_url).pathname);
    await page.getByRole('heading', { name: 'Trip to Rome' }).waitFor();
    await threadList(page).getByText('Trip to Rome').waitFor();
    await seen(page, 'Where is Rome?');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const id = await answers(page).getAttribute('id');
    await answers(page).getByRole('button', { name: 'Copy link to this message' }).click();
    await answers(page).getByRole('status').getByText('Link copied').waitFor({ state: 'attached' });
    const address = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(address).toBe(`${world.service.url}/threads/${threadId}/messages/${id}`);
    expect(new URL(page.url()).pathname, 'stays where it is').toBe(`/threads/${threadId}`);
    for (const { id, app_url } of messages) {
      await page.goto(new URL(app_url).pathname);
      const marked = page.locator(`[data-marked=true][id=${id}]`);
      await marked.waitFor();
      await expect.poll(() => marked.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(0);
    }
  });
});
