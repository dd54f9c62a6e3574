/**
 * A real browser against the real service with the scripted model. The files of tests in a process share one browser, which ends
 * with the process. Each person gets a browser context of their own, with their own cookies, and with no motion, since a mark that
 * moves while an answer comes is painted in every frame; whatever a page reports as an error is kept, since a refused style or
 * script shows nowhere else.
 */
import { hashPassword } from 'better-auth/crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { createId } from '../../src/ids.js';
import { issueSignInLink } from '../../src/modules/identity/sign-in-link.js';
import { type Person, startTestService, type TestService, type TestServiceOptions } from '../support/service.js';
import { chromiumPath, launchForTests } from './chromium.js';

export const hasBrowser = chromiumPath !== undefined;
/** For the name of a group of tests: why it does not run. */
export const browserNote = hasBrowser ? '' : ' (skipped: no program "chromium" on the PATH)';

/** Of everybody who is signed in by a test. */
export const password = 'correct horse battery staple';
let hashedPassword: Promise<string> | undefined;

export interface View {
  width?: number;
  height?: number;
  dark?: boolean;
  /** A finger in place of a mouse, as on a phone. */
  isTouch?: boolean;
  /** Pixels of the picture for each of the page. */
  scale?: number;
  /** The language and the time zone of the reader, as browsers name them. */
  locale?: string;
  timeZone?: string;
  /** A browser of the test; the one that all share where it is left out. */
  browser?: Browser;
  /** Where the page comes from; the service itself where it is left out. */
  url?: string;
  /** Nothing of the application is in the cache. */
  isFirstVisit?: boolean;
}

let shared: Promise<Browser> | undefined;

function sharedBrowser(): Promise<Browser> {
  shared ??= launchForTests();
  return shared;
}

/** A group of tests with a world of their own, which are skipped where there is no browser. */
export function describeWeb(name: string, tests: (world: WebWorld) => void): void {
  describeWebWith(name, {}, tests);
}

/** The same, with a service that has these options. */
export function describeWebWith(name: string, options: TestServiceOptions, tests: (world: WebWorld) => void): void {
  describe.skipIf(!hasBrowser)(`${name}${browserNote}`, () => tests(webWorld(options)));
}

/**
 * The world of a group of tests: it begins before them and ends after them, and no page may have reported an error by then. The
 * pages of a test end with it: an answer that still grows would be drawn on and on.
 */
export function webWorld(options: TestServiceOptions = {}): WebWorld {
  const world = new WebWorld();
  let kept = 0;
  beforeAll(() => world.begin(options));
  beforeEach(() => {
    kept = world.contexts;
  });
  afterEach(() => world.closeSince(kept));
  afterAll(async () => {
    expect(world.problems).toEqual([]);
    await world.stop();
  });
  return world;
}

export class WebWorld {
  /** Errors of all pages, those of the Content-Security-Policy among them. */
  readonly problems: string[] = [];
  readonly #contexts: BrowserContext[] = [];
  /** Those whose test is over, by their options: one that has loaded the application before takes two thirds of the processor time. */
  readonly #idle = new Map<string, BrowserContext[]>();
  /** Of those that another test may have. */
  readonly #optionsOf = new WeakMap<BrowserContext, string>();

  #started: { service: TestService; browser: Browser } | undefined;

  static async start(options: TestServiceOptions = {}): Promise<WebWorld> {
    const world = new WebWorld();
    await world.begin(options);
    return world;
  }

  async begin(options: TestServiceOptions = {}): Promise<void> {
    // Cookies of a service behind TLS would not be sent to the tests.
    const environment = { PUBLIC_URL: 'http://localhost', ...options.environment };
    const [service, browser] = await Promise.all([startTestService({ ...options, environment }), sharedBrowser()]);
    this.#started = { service, browser };
  }

  get service(): TestService {
    return this.#running.service;
  }

  /** How many contexts there are. */
  get contexts(): number {
    return this.#contexts.length;
  }

  get #running(): { service: TestService; browser: Browser } {
    if (!this.#started) throw new Error('The service for the browser was not started.');
    return this.#started;
  }

  /** A page of nobody, at the start of the application. */
  async visitor(view: View = {}): Promise<Page> {
    const { width = 1280, height = 800, dark = false, isTouch = false, scale = 1, url = this.service.url } = view;
    const { locale, timeZone } = view;
    const options: BrowserContextOptions = {
      baseURL: url,
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      deviceScaleFactor: scale,
      hasTouch: isTouch,
      isMobile: isTouch,
      ...(locale === undefined ? {} : { locale }),
      ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
    };
    const used = view.browser || view.isFirstVisit ? undefined : this.#idle.get(JSON.stringify(options))?.pop();
    const context = used ?? (await this.#newContext(options, view));
    this.#contexts.push(context);
    const page = await context.newPage();
    if (used) await forget(page, url);
    // A clock that a test has installed cannot be taken out again.
    const clock = () => {
      this.#optionsOf.delete(context);
      return context.clock;
    };
    Object.defineProperty(page, 'clock', { get: clock });
    page.on('pageerror', ({ message }) => this.problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        this.problems.push(message.text());
      }
    });
    return page;
  }

  async #newContext(options: BrowserContextOptions, { browser, isFirstVisit }: View): Promise<BrowserContext> {
    const context = await (browser ?? this.#running.browser).newContext(options);
    context.setDefaultTimeout(25_000);
    if (!browser && !isFirstVisit) this.#optionsOf.set(context, JSON.stringify(options));
    return context;
  }

  /** A page of a person who is signed in, not yet anywhere. Each has a session of its own. */
  async signedIn(person: Pick<Person, 'id' | 'email'>, view: View = {}): Promise<Page> {
    const page = await this.visitor(view);
    await this.givePassword(person);
    // With a link, because the check of a password takes a tenth of a second of computing.
    const token = new URL(await this.link(person)).searchParams.get('token');
    const answer = await page.request.post('/auth/sign-in/link', { data: { token } });
    if (!answer.ok()) throw new Error(`Signing in failed: ${answer.status()} ${await answer.text()}`);
    return page;
  }

  /** A page of a person who is signed in, at this path. */
  async open(person: Pick<Person, 'id' | 'email'>, path: string, view?: View): Promise<Page> {
    const page = await this.signedIn(person, view);
    await page.goto(path);
    return page;
  }

  /** A new link of the person, under the address that the tests use. */
  async link({ id }: Pick<Person, 'id'>): Promise<string> {
    const { database } = this.service;
    return (await issueSignInLink(database, { userId: id, publicUrl: this.service.url })).url;
  }

  /** As if they had chosen it with their first link. */
  async givePassword({ id: userId }: Pick<Person, 'id'>): Promise<void> {
    const { database } = this.service;
    if ((await database.account.count({ where: { userId } })) > 0) return;
    hashedPassword ??= hashPassword(password);
    const credential = { providerId: 'credential', issuer: 'local:credential', accountId: userId };
    await database.account.create({
      data: { id: createId('acc'), userId, ...credential, password: await hashedPassword },
    });
  }

  /** Ends all but the first contexts, or keeps them for the next test. */
  async closeSince(kept: number): Promise<void> {
    await Promise.all(this.#contexts.splice(kept).map((context) => this.#end(context)));
  }

  async #end(context: BrowserContext): Promise<void> {
    const options = this.#optionsOf.get(context);
    if (options === undefined || context.isClosed()) return context.close();
    // One page remains, and with it the process.
    const [first, ...others] = context.pages();
    await Promise.all([first?.goto('about:blank'), ...others.map((page) => page.close())]);
    const idle = this.#idle.get(options) ?? [];
    this.#idle.set(options, [...idle, context]);
  }

  async stop(): Promise<void> {
    const idle = [...this.#idle.values()].flat();
    await Promise.all([...this.#contexts, ...idle].map((context) => context.close()));
    await this.service.stop();
  }
}

/** Of the test before, only the files of the application stay in the cache. */
async function forget(page: Page, origin: string): Promise<void> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  const others = context.pages().filter((other) => other !== page);
  await Promise.all([
    ...[session.detach(), context.clearCookies(), context.clearPermissions()],
    ...others.map((other) => other.close()),
  ]);
}
