/**
 * Every page of the application with something on it, in each state that looks different, for tests that visit all of them. A page
 * that is open goes from one to the next without a load, which costs more than all that is looked at.
 */
import type { Page } from 'playwright-core';
import { exportPath } from '../../modules/import/exports.js';
import type { Sent } from '../../support/clients/rest-client.js';
import type { Person } from '../../support/service.js';
import { colleagueOf } from '../../support/threads.js';
import type { WebWorld } from '../browser.js';
import { type StagedThreads, stageThreads } from '../staged-threads.js';
import { manyDays, stageUsage } from '../staged-usage.js';
import { composer, dismiss, goTo, seen, threadList, write } from './pages.js';

export interface StagedPage {
  name: string;
  /** For nobody who is signed in. */
  isPublic?: boolean;
  /** Only scrolled to another place: all that is there is on the page before it too. */
  isScrolled?: boolean;
  open: (page: Page) => Promise<unknown>;
  /** Undoes what would be in the way of the next page. */
  close?: (page: Page) => Promise<unknown>;
}

const list = (page: Page) => show(page, '/', () => threadList(page).first().waitFor());

/** Makes threads in several states for the person, an administrator, and gives the pages that show them. */
export async function stagePages(world: WebWorld, person: Person): Promise<StagedPage[]> {
  const threads = await stageThreads(world, person);
  await stageUsage(world, person, manyDays([person.id, 'usr_deleted']));
  const invited = await world.link(await colleagueOf(world.service, person));
  return [
    ...publicPages(person, invited),
    ...threadPages(),
    ...conversationPages(threads),
    // Presence is looked at once the page has been open for a while, and the next ones load it again.
    presentPage(world, threads),
    ...overlayPages(),
    ...settingsPages(),
  ];
}

function publicPages(person: Person, invited: string): StagedPage[] {
  const signIn = async (page: Page) => {
    if ((await page.getByLabel('Password').count()) === 0) await page.goto('/');
    await page.getByLabel('Password').waitFor();
  };
  const refused = async (page: Page) => {
    await signIn(page);
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password').fill('not the password at all');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Incorrect e-mail address or password').waitFor();
  };
  const link = async (page: Page) => {
    await page.goto(invited);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  };
  return [
    { name: 'sign-in', isPublic: true, open: signIn },
    { name: 'sign-in-refused', isPublic: true, open: refused },
    { name: 'link', isPublic: true, open: link },
  ];
}

function threadPages(): StagedPage[] {
  const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search threads' });
  const clear = (page: Page) => searchBox(page).fill('');
  const search = async (page: Page, words: string, found: string) => {
    await list(page);
    await searchBox(page).fill(words);
    await page.locator(found).waitFor();
  };
  const view = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const empty = async (page: Page) => {
    await list(page);
    await view(page, 'Archived');
    await page.getByText('No threads are archived').waitFor();
  };
  return [
    { name: 'threads', open: list },
    { name: 'threads-empty', open: empty, close: (page) => view(page, 'All') },
    { name: 'search', open: (page) => search(page, 'stopped or grace', '.thread-hit >> nth=0'), close: clear },
    {
      name: 'search-empty',
      open: (page) => search(page, 'nowhere', 'text=No threads match your search'),
      close: clear,
    },
    { name: 'new', open: (page) => show(page, '/new', () => composer(page).waitFor()) },
    { name: 'selecting', open: selecting, close: leave },
    { name: 'person-search', open: (page) => openBy(page, list, 'Filter by person'), close: dismiss },
    { name: 'threads-of-person', open: ofColleague, close: (page) => withoutFilter(page, /^Threads of/) },
    { name: 'threads-of-tag', open: ofTag, close: (page) => withoutFilter(page, /^Tagged/) },
  ];
}

function conversationPages({ talk, rich, branched, asked, failed, stopped, growing }: StagedThreads): StagedPage[] {
  const talking = (page: Page) =>
    show(page, `/threads/${talk.threadId}`, () => page.locator('.hljs-keyword').first().waitFor());
  const parts: [string, string][] = [
    ['rich-start', 'How does our import behave, and'],
    ['rich-table', 'The file had two headers'],
    ['rich-end', 'With all batches of the same size'],
  ];
  const pages: [string, string, string][] = [
    ['message', `${talk.threadId}/messages/${talk.messageId}`, 'How shall we plan'],
    ['branched', branched.threadId, 'By the river'],
    ['choice', asked.threadId, 'Which of them first?'],
    ['error', failed.threadId, 'The assistant failed.'],
    ['interrupted', stopped, 'The answer was stopped.'],
  ];
  const dialogs: [string, string, 'textbox' | 'button'][] = [
    ['instructions', 'Instructions', 'textbox'],
    ['deletion', 'Delete', 'button'],
  ];
  const answering = async (page: Page) => {
    await show(page, `/threads/${(await growing()).threadId}`, () => seen(page, 'Step by step'));
    await write(page, 'Wait');
    await page.getByRole('button', { name: 'Interrupt and send' }).waitFor();
  };
  return [
    { name: 'conversation', open: talking },
    { name: 'rich', open: (page) => richly(page, rich, 'How the import behaves') },
    ...parts.map(([name, words]) => ({ name, isScrolled: true, open: (page: Page) => richly(page, rich, words) })),
    ...pages.map(([name, path, words]) => ({
      name,
      open: (page: Page) => show(page, `/threads/${path}`, () => seen(page, words)),
    })),
    { name: 'answering', open: answering },
    { name: 'menu', open: (page) => openBy(page, talking, 'Actions for this thread'), close: dismiss },
    ...dialogs.map(([name, item, role]) => ({
      ...{ name, close: dismiss },
      open: async (page: Page) => {
        await openBy(page, talking, 'Actions for this thread');
        await page.getByRole('menuitem', { name: item }).click();
        await page.getByRole('dialog').getByRole(role, { name: item, exact: true }).waitFor();
      },
    })),
    { name: 'tags', open: (page) => tagging(page, talking), close: dismiss },
    {
      name: 'details',
      open: async (page) => {
        await openBy(page, talking, 'Details');
        await page.getByText('Total time').waitFor();
      },
      close: dismiss,
    },
    { name: 'feedback', open: (page) => openBy(page, complaining(talking), 'Add a comment'), close: dismiss },
    {
      name: 'missing',
      open: (page) => show(page, '/threads/thr_none', () => page.getByText('no such thread').waitFor()),
    },
  ];
}

async function tagging(page: Page, talking: (page: Page) => Promise<void>): Promise<void> {
  await openBy(page, talking, 'Actions for this thread');
  await page.getByRole('menuitem', { name: 'Tags' }).click();
  await page.getByRole('combobox', { name: 'Add a tag' }).fill('new');
  await page.getByRole('list', { name: 'Tags of the thread' }).waitFor();
}

/** The part of the thread with these words, with everything that is loaded for it. */
async function richly(page: Page, { threadId }: Sent, words: string): Promise<void> {
  await goTo(page, `/threads/${threadId}`);
  const there = page.getByRole('region', { name: 'Conversation' }).getByText(words).first();
  await page.locator('math').first().waitFor({ state: 'attached' });
  await page.locator('.hljs-keyword').first().waitFor({ state: 'attached' });
  await there.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
}

/** What is shown over a page, or in place of all of them. */
function overlayPages(): StagedPage[] {
  const palette = async (page: Page) => {
    await list(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
  };
  return [
    { name: 'palette', open: palette, close: dismiss },
    {
      name: 'palette-empty',
      open: async (page) => {
        await palette(page);
        await page.getByRole('combobox').fill('nowhere to be found');
        await page.getByText('Nothing was found.').waitFor();
      },
      close: dismiss,
    },
    {
      name: 'keys',
      open: async (page) => {
        await list(page);
        await page.getByRole('heading', { level: 1 }).first().click();
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
      close: dismiss,
    },
    { name: 'not-found', open: (page) => show(page, '/nowhere', () => page.getByText('no such page').waitFor()) },
    {
      name: 'unreachable',
      open: async (page) => {
        await page.route('**/graphql', (route) => route.abort());
        await leave(page);
        await show(page, '/', () => page.getByText('The service cannot be reached').waitFor());
      },
      close: (page) => page.unroute('**/graphql'),
    },
  ];
}

/** A conversation that a colleague reads, and writes in for a few seconds. */
function presentPage(world: WebWorld, { stopped: threadId }: StagedThreads): StagedPage {
  const open = async (page: Page) => {
    const { presence, database } = world.service.service;
    const { organizationId, ownerId } = await database.thread.findUniqueOrThrow({ where: { id: threadId } });
    const { id: userId } = await database.user.findFirstOrThrow({ where: { organizationId, id: { not: ownerId } } });
    const leave = presence.enter({ threadId, userId });
    await show(page, `/threads/${threadId}`, () => page.getByRole('img', { name: /reading$/ }).waitFor());
    presence.announceWriting({ threadId, userId });
    await page.locator('.writing-line').waitFor();
    leave();
  };
  return { name: 'present', open };
}

/** Opens the page with an answer that is rated as bad: pressing the thumb again would withdraw the rating. */
function complaining(open: (page: Page) => Promise<void>): (page: Page) => Promise<void> {
  return async (page) => {
    await open(page);
    const thumb = page.getByRole('button', { name: 'Bad answer' });
    if ((await thumb.getAttribute('aria-pressed')) === 'true') return;
    await thumb.click();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
}

function settingsPages(): StagedPage[] {
  const members = (page: Page) =>
    show(page, '/settings/members', () => page.locator('button[aria-label^=Remove]').first().waitFor());
  const ratings = (page: Page) => page.getByRole('heading', { name: /^Feedback in/ });
  const sums = (page: Page) => page.getByRole('table', { name: 'By model' });
  const tokens = (page: Page) => show(page, '/settings/tokens', () => page.getByText('Expires after').waitFor());
  return [
    { name: 'account', open: (page) => show(page, '/settings', () => page.getByText('This browser').waitFor()) },
    {
      name: 'imported',
      open: async (page) => {
        await show(page, '/settings', () => page.getByText('This browser').waitFor());
        await page.locator('input[type=file]').setInputFiles(exportPath('chatGpt'));
        await page.getByText('Damaged or in an unknown format').waitFor();
      },
    },
    { name: 'tokens', open: tokens },
    {
      name: 'token-made',
      open: async (page) => {
        await tokens(page);
        await page.getByRole('textbox', { name: 'Name' }).fill('Nightly report');
        await page.getByRole('button', { name: 'Create token' }).click();
        await page.getByText(/^curl /).waitFor();
      },
      close: (page) => page.getByRole('button', { name: 'I have copied it' }).click(),
    },
    { name: 'members', open: members },
    { name: 'feedback-list', open: (page) => show(page, '/settings/feedback', () => ratings(page).waitFor()) },
    { name: 'usage', open: (page) => show(page, '/settings/usage', () => sums(page).waitFor()) },
    {
      name: 'usage-empty',
      open: async (page) => {
        await goTo(page, '/settings/usage');
        await page.getByLabel('Time').selectOption('Other days');
        await page.getByLabel('From').fill('2020-01-01');
        await page.getByLabel('To', { exact: true }).fill('2020-01-31');
        await page.getByRole('button', { name: 'Show' }).click();
        await page.getByText('No responses from Jan 1, 2020').first().waitFor();
      },
    },
    { name: 'removal', open: (page) => openBy(page, members, /^Remove/), close: dismiss },
  ];
}

async function ofColleague(page: Page): Promise<void> {
  await openBy(page, list, 'Filter by person');
  await page.getByRole('dialog').getByRole('listitem').nth(1).getByRole('button').click();
  await page.getByRole('button', { name: /^Threads of/ }).waitFor();
}

async function ofTag(page: Page): Promise<void> {
  await openBy(page, list, 'Filter by tag');
  await page.getByRole('menuitem', { name: 'move' }).click();
  await page.getByRole('button', { name: /^Tagged/ }).waitFor();
}

/** Presses the button that shows what is filtered by. */
function withoutFilter(page: Page, name: RegExp): Promise<void> {
  return page.getByRole('button', { name }).click();
}

async function selecting(page: Page): Promise<void> {
  await list(page);
  await page.getByRole('button', { name: 'Mine', exact: true }).click();
  await openBy(page, () => threadList(page).first().waitFor(), /^Actions for /);
  await page.getByRole('menuitem', { name: 'Select', exact: true }).click();
  await page.getByText('1 selected').waitFor();
}

/** A page, and on it what the first button of that name opens. */
async function openBy(page: Page, open: (page: Page) => Promise<unknown>, name: string | RegExp): Promise<void> {
  await open(page);
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').or(page.getByRole('menu')).waitFor();
}

async function show(page: Page, path: string, isThere: () => Promise<void>): Promise<void> {
  await goTo(page, path);
  await isThere();
}

/** What is open or chosen on the page is gone; the next one is loaded. */
function leave(page: Page): Promise<unknown> {
  return page.goto('about:blank');
}
