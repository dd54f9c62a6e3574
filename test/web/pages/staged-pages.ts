/** Every page of the application with something on it, in each state that looks different, for tests that visit all of them. */
import type { Locator, Page } from 'playwright-core';
import type { Person } from '../../support/service.js';
import { colleagueOf } from '../../support/threads.js';
import type { WebWorld } from '../browser.js';
import { type StagedThreads, stageThreads } from '../staged-threads.js';
import { composer, seen, threadList, write } from './pages.js';

export interface StagedPage {
  name: string;
  /** For nobody who is signed in. */
  isPublic?: boolean;
  open: (page: Page) => Promise<unknown>;
}

/** Makes threads in several states for the person, an administrator, and gives the pages that show them. */
export async function stagePages(world: WebWorld, person: Person): Promise<StagedPage[]> {
  const threads = await stageThreads(world, person);
  const invited = await world.link(await colleagueOf(world.service, person));
  return [...publicPages(person, invited), ...threadPages(), ...conversationPages(threads), ...settingsPages()];
}

function publicPages(person: Person, invited: string): StagedPage[] {
  const signIn = async (page: Page) => {
    await page.goto('/');
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
  const search = async (page: Page, words: string, found: Locator) => {
    await page.goto('/');
    await page.getByRole('searchbox', { name: 'Search threads' }).fill(words);
    await found.waitFor();
  };
  return [
    { name: 'threads', open: (page) => show(page, '/', () => threadList(page).first().waitFor()) },
    {
      name: 'threads-empty',
      open: async (page) => {
        await page.goto('/');
        await page.getByRole('button', { name: 'Archived' }).click();
        await page.getByText('No threads are archived').waitFor();
      },
    },
    { name: 'search', open: (page) => search(page, 'stopped or grace', page.locator('.thread-hit').first()) },
    { name: 'search-empty', open: (page) => search(page, 'nowhere', page.getByText('No threads match your search')) },
    { name: 'new', open: (page) => show(page, '/new', () => composer(page).waitFor()) },
  ];
}

function conversationPages({ talk, asked, failed, stopped, growing }: StagedThreads): StagedPage[] {
  const talking = (page: Page) =>
    show(page, `/threads/${talk.threadId}`, () => page.locator('.hljs-keyword').first().waitFor());
  const pages: [string, string, string][] = [
    ['message', `${talk.threadId}/messages/${talk.messageId}`, 'How shall we plan'],
    ['choice', asked.threadId, 'Which of them first?'],
    ['error', failed.threadId, 'The assistant failed.'],
    ['interrupted', stopped, 'The answer was stopped.'],
  ];
  return [
    { name: 'conversation', open: talking },
    ...pages.map(([name, path, words]) => ({
      name,
      open: (page: Page) => show(page, `/threads/${path}`, () => seen(page, words)),
    })),
    {
      name: 'answering',
      open: async (page) => {
        const { threadId } = await growing();
        await show(page, `/threads/${threadId}`, () => seen(page, 'Step by step'));
        await write(page, 'Wait');
        await page.getByRole('button', { name: 'Interrupt and send' }).waitFor();
      },
    },
    { name: 'menu', open: (page) => openBy(page, talking, 'Actions for this thread') },
    { name: 'feedback', open: (page) => openBy(page, talking, 'Bad answer') },
    {
      name: 'missing',
      open: (page) => show(page, '/threads/thr_none', () => page.getByText('no such thread').waitFor()),
    },
  ];
}

function settingsPages(): StagedPage[] {
  const members = (page: Page) =>
    show(page, '/settings/members', () =>
      page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .waitFor(),
    );
  const tokens = (page: Page) => show(page, '/settings/tokens', () => page.getByText('Expires after').waitFor());
  return [
    { name: 'account', open: (page) => show(page, '/settings', () => page.getByText('This browser').waitFor()) },
    { name: 'tokens', open: tokens },
    {
      name: 'token-made',
      open: async (page) => {
        await tokens(page);
        await page.getByRole('textbox', { name: 'Name' }).fill('Nightly report');
        await page.getByRole('button', { name: 'Create token' }).click();
        await page.getByText(/^curl /).waitFor();
      },
    },
    { name: 'members', open: members },
    { name: 'removal', open: (page) => openBy(page, members, /^Remove/) },
  ];
}

/** A page, and on it what the first button of that name opens. */
async function openBy(page: Page, open: (page: Page) => Promise<unknown>, name: string | RegExp): Promise<void> {
  await open(page);
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').or(page.getByRole('menu')).waitFor();
}

async function show(page: Page, path: string, isThere: () => Promise<void>): Promise<void> {
  await page.goto(path);
  await isThere();
}
