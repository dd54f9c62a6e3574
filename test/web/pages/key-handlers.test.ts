/**
 * Every place where the application, or a library that it uses, hears keys is visited here. An input method composes words with the
 * same keys that send, stop and close, and none of them is heard. In a text field no letter is, unless it is pressed with Ctrl or ⌘.
 * A new handler needs a visit of its own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { text, toolCall } from '../../support/model/model-script.js';
import { addThread, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, composer, dismiss, goTo, seen, startThread, threadList } from './pages.js';

/** A place with the key that does something here when no input method has it. */
interface Visit {
  place: string;
  key: string;
  open: (page: Page) => Promise<unknown>;
  /** Where the keys of this place are handled; a library, if none is named. */
  file?: string;
  /** Whether a text field has the focus. */
  isField?: true;
}

type Press = Pick<KeyboardEventInit, 'key' | 'code' | 'keyCode' | 'isComposing' | 'ctrlKey' | 'altKey'>;

/** How browsers mark the keys of an input method: Safari marks the last one, after the word, by its code alone. */
const marks: Press[] = [{ keyCode: 229 }, { keyCode: 13, isComposing: true }];
const plain = 'Enter Escape Tab Backspace ArrowUp ArrowDown ArrowRight Home End F2 1 / ?'.split(' ');
const composing: Press[] = [
  ...plain.map((key) => ({ key })),
  ...['k', 'b', 'Enter'].map((key) => ({ key, ctrlKey: true })),
].flatMap((press) => marks.map((mark) => ({ ...press, ...mark })));

/** Alone, with Option, which makes another letter of it, and with AltGr, which browsers report as Ctrl and Alt. */
const ways = [
  { write: (letter: string) => letter },
  { write: () => 'ń', altKey: true },
  { write: (letter: string) => letter, altKey: true },
  { write: () => 'ń', altKey: true, ctrlKey: true },
];
const letters: Press[] = Array.from('abcdefghijklmnopqrstuvwxyz').flatMap((letter) =>
  ways.map(({ write, ...held }) => ({ key: write(letter), code: `Key${letter.toUpperCase()}`, ...held })),
);

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search threads' });
const editor = (page: Page) => page.getByRole('textbox', { name: 'Edit message' });

/** Opens something by the menu of the thread, and writes in its field. */
const written = async (page: Page, item: string, role: 'combobox' | 'textbox', name: string) => {
  await openActions(page);
  await page.getByRole('menuitem', { name: item }).press('Enter');
  await page.getByRole(role, { name }).fill('日本');
};
const focusTheme = (page: Page) => page.getByRole('button', { name: /^Theme/ }).focus();
const onPage = (place: string, key: string, file: string, open: Visit['open']) => ({ place, key, file, open });
const inField = (place: string, key: string, file: string | undefined, open: Visit['open']): Visit => ({
  ...{ place, key, open, isField: true },
  ...(file && { file }),
});

const visits: Visit[] = [
  inField('the search of threads', 'Escape', 'threads/panel/thread-panel.tsx', (page) => search(page).fill('日本')),
  inField('the list of threads', 'ArrowDown', 'threads/panel/use-list-keys.ts', (page) => search(page).focus()),
  onPage('a thread in the list', 'F2', 'threads/panel/thread-row.tsx', (page) =>
    threadList(page).getByRole('link').last().focus(),
  ),
  inField('the name of a thread', 'Enter', 'threads/rename-field.tsx', async (page) => {
    await threadList(page).getByRole('link').last().press('F2');
    await page.getByRole('textbox', { name: 'Thread name' }).fill('日本');
  }),
  onPage('the edge of the list', 'ArrowRight', 'shell/list-edge.tsx', (page) => page.getByRole('separator').focus()),
  onPage('the shortcuts', '/', 'shell/use-shortcuts.ts', focusTheme),
  inField('the palette', 'ArrowDown', 'shell/palette.tsx', async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('option').nth(1).waitFor();
  }),
  onPage('a menu', 'Tab', 'ui/menu-popup.tsx', (page) => openActions(page)),
  inField('a message that is edited', 'Escape', 'conversation/branches/message-editor.tsx', async (page) => {
    await composer(page).press('ArrowUp');
    await editor(page).fill('日本');
  }),
  inField('the tags of a thread', 'Enter', 'threads/tags/tag-field.tsx', (page) =>
    written(page, 'Tags', 'combobox', 'Add a tag'),
  ),
  inField('a dialog', 'Escape', undefined, (page) => written(page, 'Instructions', 'textbox', 'Instructions')),
  inField('a comment on an answer', 'Escape', undefined, async (page) => {
    await page.getByRole('button', { name: 'Bad answer' }).press('Enter');
    await page.getByRole('textbox', { name: 'Comment' }).fill('日本');
  }),
  inField('a message', 'Enter', 'conversation/composer/composer.tsx', (page) => composer(page).fill('日本')),
  onPage('the messages', 'End', 'conversation/messages/message-list.tsx', (page) =>
    page.getByRole('region', { name: 'Conversation' }).focus(),
  ),
  onPage('the choices of a question', '1', 'conversation/choices.tsx', async (page) => {
    await startThread(page, 'Ask me');
    await page.getByRole('button', { name: 'This', exact: true }).waitFor();
    await focusTheme(page);
  }),
  // The last, since it never gets to its end.
  onPage('the palette before it is loaded', 'Enter', 'shell/use-early-keys.ts', async (page) => {
    await page.route(/assets\/palette-.*\.js/, () => undefined);
    await page.reload();
    await composer(page).focus();
    await page.keyboard.press('Control+k');
  }),
];

/** These see keys, but do nothing that one would see. */
const silent = [
  // Only that the reader has moved.
  'conversation/messages/scroll/use-message-scroll.ts',
  'ui/input-method.ts',
];

it('the handlers of keys are all visited below', () => {
  const files = readdirSync('src/web', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const handlers = files.filter((name) => /onKey(Down|Up|Press)|'key(down|up|press)'/.test(read(name)));
  expect(handlers.sort()).toEqual([...visits.flatMap(({ file }) => file ?? []), ...silent].sort());
});

describeWeb('a handler of keys', (world) => {
  let page: Page;
  let path: string;

  beforeAll(async () => {
    const person = await newcomer(world.service);
    await addThread(world.service, person, { name: 'Older', createdAt: new Date('2026-01-01') });
    page = await world.signedIn(person);
    world.service.model.enqueue([text('An answer.')]);
    path = `/threads/${await startThread(page, 'Hello')}`;
    await answered(page);
    const question = { question: 'Which one?', choices: ['This', 'That'] };
    world.service.model.enqueue(
      [text('Another answer.')],
      [...toolCall({ id: 'c1', name: 'user_get_choice', arguments: question })],
    );
  });

  /** Whatever the visit before has opened or written is gone. */
  async function leaveAll(): Promise<void> {
    await dismiss(page);
    await page.keyboard.press('Escape');
    await search(page).fill('');
    await composer(page).fill('');
  }

  async function visit({ open }: Visit): Promise<unknown> {
    await leaveAll();
    await goTo(page, path);
    await seen(page, 'An answer.');
    await threadList(page).nth(1).waitFor();
    await open(page);
    return stateOf(page);
  }

  it.each(visits)('hears neither an input method nor letters of a text field: $place', async (there) => {
    const before = await visit(there);
    expect(await page.evaluate(taken, composing)).toEqual([]);
    expect(await stateOf(page)).toEqual(before);
    if (there.isField) {
      expect(await page.evaluate(taken, letters)).toEqual([]);
      expect(await stateOf(page)).toEqual(before);
    }
    // The proof that a handler was there all the time.
    const [took] = await page.evaluate(taken, [{ key: there.key }]);
    await expect.poll(async () => took !== undefined || !isDeepStrictEqual(await stateOf(page), before)).toBe(true);
    await page.unrouteAll();
  });
});

function read(name: string): string {
  return readFileSync(`src/web/${name}`, 'utf8');
}

async function openActions(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Actions for this thread' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Tags' }).waitFor();
}

/** Presses keys where the focus is, and gives those that something took for itself. */
function taken(presses: Press[]): Press[] {
  return presses.filter((press) => {
    const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...press });
    return !document.activeElement?.dispatchEvent(event);
  });
}

/** What a key could change, after it had the time to. */
async function stateOf(page: Page): Promise<unknown> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return page.evaluate(`({
    path: location.pathname,
    focus: document.activeElement.getAttribute('aria-label'),
    chosen: document.activeElement.getAttribute('aria-activedescendant'),
    written: [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    width: document.querySelector('[role=separator], hr')?.getAttribute('aria-valuenow'),
    open: [...document.querySelectorAll('[role=dialog], [role=menu], [role=menuitem]')].length,
    messages: document.querySelectorAll('article').length,
  })`);
}
