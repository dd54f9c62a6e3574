/** What the first view of a conversation waits for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limitKb, scriptsOfFirstView } from '../../bench/web/first-view.js';
import { text } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, password, WebWorld } from '../browser.js';
import { seen } from './pages.js';

describe.skipIf(!hasBrowser)(`the first view of a conversation${browserNote}`, () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await WebWorld.start();
  });
  afterAll(async () => {
    expect(world.problems).toEqual([]);
    await world.stop();
  });

  it('requests the conversation once, before it knows who the user is', async () => {
    const person = await newcomer(world.service);
    const { threadId } = await person.rest.readyThread({ text: 'Here already' });
    const page = await world.signedIn(person);
    const asked: string[] = [];
    let answerMe = (): void => undefined;
    const conversationAsked = new Promise<void>((resolve) => {
      answerMe = resolve;
    });
    await page.route('**/graphql', async (route) => {
      const { query = '' } = route.request().postDataJSON() as { query?: string };
      const name = /\bquery (\w+)/.exec(query)?.[1] ?? '';
      asked.push(name);
      if (name === 'Conversation') answerMe();
      if (name === 'Me') await conversationAsked;
      await route.continue();
    });
    await page.goto(`/threads/${threadId}`);
    await seen(page, 'Here already');
    expect(asked.filter((name) => name === 'Conversation')).toHaveLength(1);
  });

  it(`loads at most ${limitKb} KB of scripts, with highlighted code`, async () => {
    const person = await newcomer(world.service);
    world.service.model.enqueue([text('```js\nconst one = 1;\n```')]);
    const { threadId } = await person.rest.readyThread({ text: 'Show me some code' });
    const page = await world.signedIn(person);
    const { kilobytes, files } = await scriptsOfFirstView(page.context(), `/threads/${threadId}`);
    expect(files).toBeGreaterThan(0);
    expect(kilobytes).toBeLessThanOrEqual(limitKb);
  });

  it('requests the conversation again after a user signs in at its address', async () => {
    const person = await newcomer(world.service);
    const { threadId } = await person.rest.readyThread({ text: 'For who is signed in' });
    await (await world.signedIn(person)).close();
    const page = await world.visitor();
    await page.goto(`/threads/${threadId}`);
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Password').press('Enter');
    await seen(page, 'For who is signed in');
  });
});
