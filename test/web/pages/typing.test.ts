/** Whoever types gets what they type: no shortcut takes a letter from a text field, and an input method keeps its own keys. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { focused } from '../focus.js';
import { answered, composer, goTo, seen, startThread, threadList } from './pages.js';

/** As the protocol of the browser counts modifiers. */
const [alt, control] = [1, 2];

describeWeb('typing', (world) => {
  let page: Page;
  let path: string;
  beforeAll(async () => {
    page = await world.signedIn(await newcomer(world.service));
    path = `/threads/${await startThread(page, 'Hello')}`;
    await answered(page);
    await threadList(page).first().waitFor();
  });

  it.each([
    { by: 'Option', modifiers: alt },
    { by: 'AltGr', modifiers: alt | control },
  ])('writes a letter with $by in every text field, and stays on the page', async ({ modifiers }) => {
    const fields = [composer(page), page.getByRole('searchbox', { name: 'Search threads' })];
    for (const field of fields) {
      await field.focus();
      await typeWith(page, modifiers, 'ń');
      await expect.poll(() => field.inputValue()).toBe('ń');
      expect(new URL(page.url()).pathname).toBe(path);
    }
    await fields[1]?.clear();
    await threadList(page).getByRole('link').first().press('F2');
    await focused(page, 'Thread name');
    await page.keyboard.press('ControlOrMeta+a');
    await typeWith(page, modifiers, 'ń');
    await expect.poll(() => page.getByRole('textbox', { name: 'Thread name' }).inputValue()).toBe('ń');
    expect(new URL(page.url()).pathname).toBe(path);
    await page.keyboard.press('Escape');
    await composer(page).clear();
  });

  it('opens a new thread from a text field by Control+Shift+O, and from elsewhere by Alt+N too', async () => {
    await composer(page).press('Control+Shift+O');
    await page.waitForURL(/\/new$/);
    await page.goBack();
    await page.getByRole('button', { name: 'Good answer' }).press('Alt+n');
    await page.waitForURL(/\/new$/);
    await goTo(page, path);
    await answered(page);
  });

  it('takes commands from the keys of another script', async () => {
    await composer(page).focus();
    expect(await pressed(page, 'ن', { code: 'KeyK', ctrlKey: true })).toBe(true);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await pressed(page, 'Щ', { code: 'KeyO', ctrlKey: true, shiftKey: true })).toBe(true);
    await page.waitForURL(/\/new$/);
    await goTo(page, path);
    await answered(page);
  });

  // In all other places: `key-handlers.test.ts`.
  it('leaves Enter and Escape to an input method while an answer comes, which neither sends nor stops it', async () => {
    const end = gate();
    world.service.model.enqueue([text('Half'), wait(end.passed), text(' and whole')]);
    await composer(page).fill('Again');
    await composer(page).press('Enter');
    await seen(page, 'Half');
    await composer(page).fill('日本');
    for (const key of ['Enter', 'Escape']) {
      for (const marks of inputMethods) expect(await pressed(page, key, marks), key).toBe(false);
    }
    end.open();
    await seen(page, 'Half and whole');
    expect(await composer(page).inputValue()).toBe('日本');
    expect(new URL(page.url()).pathname).toBe(path);
  });
});

/** How browsers mark the last key: Safari after the composition, others within it. */
const inputMethods = [
  { keyCode: 229, isComposing: false },
  { keyCode: 13, isComposing: true },
];

/** Presses N with the modifiers, which writes the character as the layout of a keyboard would. */
async function typeWith(page: Page, modifiers: number, character: string): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  const press = { modifiers, code: 'KeyN', key: character, windowsVirtualKeyCode: 78 };
  await protocol.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...press });
  await protocol.send('Input.dispatchKeyEvent', { type: 'char', ...press, modifiers: 0, text: character });
  await protocol.send('Input.dispatchKeyEvent', { type: 'keyUp', ...press });
  await protocol.detach();
}

/** Presses a key in the field that has the focus as an input method reports it. Gives whether the page took it for itself. */
function pressed(page: Page, key: string, marks: object): Promise<boolean> {
  return page.evaluate(
    ([name, more]) => {
      const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more });
      return !document.activeElement?.dispatchEvent(event);
    },
    [key, marks] as const,
  );
}
