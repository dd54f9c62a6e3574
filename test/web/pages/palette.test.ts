/**
 * Keys beyond the main way: the palette, the list of keys, the arrows in the list, and numbers for choices. Whoever types gets what
 * they type: no shortcut takes a letter from a text field, and an input method keeps its own keys.
 */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { gate, text, toolCall, wait } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { HeldAnswers } from '../conversation/held-answers.js';
import { focused } from '../focus.js';
import { answered, composer, dismiss, goTo, seen, startThread, threadList } from './pages.js';

/** As the protocol of the browser counts modifiers. */
const [alt, control] = [1, 2];

describeWeb('keys', (world) => {
  describe('the palette and other keys', () => {
    /** With the threads Alpha and Beta in its list. */
    let page: Page;
    beforeAll(async () => {
      const person = await newcomer(world.service);
      for (const name of ['Alpha', 'Beta']) await person.rest.readyThread({ text: `Words of ${name}`, name });
      page = await world.open(person, '/');
      await page.getByRole('link', { name: /^Beta/ }).waitFor();
      await composer(page).waitFor();
    });

    it('name what is found as options of lists to screen readers, with the one that Enter opens', async () => {
      await openPalette(page);
      await page.getByRole('option', { name: 'Alpha' }).waitFor();
      const session = await page.context().newCDPSession(page);
      const { nodes } = await session.send('Accessibility.getFullAXTree');
      const named = (role: string) => nodes.filter((node) => node.role?.value === role).map(({ name }) => name?.value);
      expect(named('listbox')).toEqual(['Threads', 'Commands']);
      const chosen = nodes.filter(({ properties }) =>
        properties?.some(({ name, value }) => name === 'selected' && value.value === true),
      );
      expect(chosen.map(({ role }) => role?.value)).toEqual(['option']);
      expect(named('option')).toHaveLength(await page.getByRole('option').count());
      await dismiss(page);
    });

    it('find and open threads: by the arrows in the list and its search results, and by what was said in the palette', async () => {
      await page.getByRole('link', { name: /^Alpha/ }).focus();
      await page.keyboard.press('ArrowUp');
      await focused(page, 'Beta');
      await page.keyboard.press('ArrowUp');
      await focused(page, 'Search threads');
      await page.keyboard.type('words alpha');
      await page.locator('.thread-hit').first().waitFor();
      await page.getByRole('link', { name: /^Beta/ }).waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowDown');
      await focused(page, 'Alpha');
      await page.keyboard.press('ArrowDown');
      await focused(page, 'Words of Alpha');
      await page.getByRole('searchbox').focus();
      // The first is opened.
      await page.keyboard.press('Enter');
      await seen(page, 'Words of Alpha');
      await openPalette(page);
      await page.keyboard.type('words of beta');
      await page.getByRole('option', { name: 'Beta' }).getByRole('time').waitFor();
      await page.getByRole('option', { name: 'Alpha' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await seen(page, 'Words of Beta');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      await page.getByRole('searchbox').clear();
    });

    it('run commands from the message field, close by Escape and the same key with the focus returned, and show the keys, each act once, but not in a text field', async () => {
      await page.getByRole('link', { name: /^Alpha/ }).click();
      await seen(page, 'Words of Alpha');
      await choosesTheme(page);
      for (const key of ['Escape', 'Control+k']) {
        await page.keyboard.press('Control+k');
        await focused(page, 'Find a thread or a command');
        await page.keyboard.press(key);
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await focused(page, 'Message');
      }
      await composer(page).fill('');
      await page.keyboard.type('?');
      await expect.poll(() => composer(page).inputValue()).toBe('?');
      await page.getByRole('region', { name: 'Conversation' }).focus();
      await page.keyboard.press('?');
      const keys = page.getByRole('dialog', { name: 'Keys' });
      await keys.getByText('Ctrl+K or ⌘+K').waitFor();
      expect(await keys.getByText('New thread').count()).toBe(1);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await run(page, 'settings: account');
      await page.getByText('This browser').waitFor();
      await run(page, 'new thread');
      await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
      await run(page, 'show the keys');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    });

    /** By the arrows and Enter, from the message field, whose words stay. */
    async function choosesTheme(page: Page): Promise<void> {
      await composer(page).fill('Half a word');
      await openPalette(page);
      await page.keyboard.type('theme');
      await expect.poll(() => page.getByRole('option').count()).toBe(3);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.documentElement.style.colorScheme')).toBe('dark');
      await page.getByRole('button', { name: /^Theme: dark/ }).waitFor();
      await focused(page, 'Message');
      expect(await composer(page).inputValue()).toBe('Half a word');
    }

    it('open while the page starts, take what is typed while the palette is loaded, answer a question by a number, and say why one is not signed out', async () => {
      const page = await world.signedIn(await newcomer(world.service));
      const loading = gate();
      await page.route(/assets\/palette-.*\.js/, async (route) => {
        await loading.passed;
        await route.continue();
      });
      const starting = await HeldAnswers.of(page, { operation: 'Me' });
      await page.goto('/new');
      await starting.waitFor(1);
      await page.keyboard.press('Control+k');
      starting.end();
      await composer(page).fill('Half a word');
      // Nothing below it gets these.
      await page.keyboard.type('theme: xx');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Enter');
      loading.open();
      const field = page.getByRole('combobox', { name: 'Find a thread or a command' });
      await expect.poll(() => field.inputValue()).toBe('theme: ');
      await field.pressSequentially('dark');
      await expect.poll(() => page.getByRole('option').count()).toBe(1);
      await page.keyboard.press('Escape');
      expect(await composer(page).inputValue()).toBe('Half a word');
      await answersByNumber(page);
      await staysSignedIn(page);
    });

    /** Except while somebody writes. */
    async function answersByNumber(page: Page): Promise<void> {
      const asked = { question: 'Which?', choices: ['Tea', 'Coffee'] };
      world.service.model.enqueue(toolCall({ id: 'call_1', name: 'user_get_choice', arguments: asked }), [
        text('Coffee it is.'),
      ]);
      await startThread(page, 'Ask me');
      await page.getByRole('button', { name: 'Coffee', exact: true }).waitFor();
      await composer(page).focus();
      await page.keyboard.type('2');
      await expect.poll(() => composer(page).inputValue()).toBe('2');
      await composer(page).fill('');
      await page.getByRole('region', { name: 'Conversation' }).focus();
      await page.keyboard.press('2');
      await seen(page, 'Coffee it is.');
    }

    /** The palette stays open until it has worked. */
    async function staysSignedIn(page: Page): Promise<void> {
      await page.route('**/auth/sign-out', (route) => route.abort());
      await openPalette(page);
      await page.keyboard.type('sign out');
      await expect.poll(() => page.getByRole('option').count()).toBe(1);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
      await page.unroute('**/auth/sign-out');
      await page.keyboard.press('Enter');
      await page.getByText('You are signed out.').waitFor();
      await page.getByRole('heading', { name: 'Sign in to Skein' }).waitFor();
    }
  });

  describe('typing', () => {
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
});

async function run(page: Page, command: string): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(command);
  await page.getByRole('option', { name: new RegExp(command, 'i') }).waitFor();
  await page.keyboard.press('Enter');
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await focused(page, 'Find a thread or a command');
}

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
