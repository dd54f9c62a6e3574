/** The built service with the benchmarks' model behind it, and a browser in which somebody is signed in there. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../web/chromium.js';
import type { Child } from '../stage/child.js';
import type { BenchPerson } from '../stage/seed.js';
import type { Stage } from '../stage/stage.js';

export interface Site {
  databaseUrl: string;
  service: Child;
  model: Child;
  person: BenchPerson;
  /** Of the person who is signed in. */
  context: BrowserContext;
  close: () => Promise<void>;
}

export async function openSite(stage: Stage): Promise<Site> {
  const databaseUrl = await stage.createDatabase();
  const model = await stage.startProgram('model.ts');
  // Cookies of a service behind TLS would not be sent to this one.
  const environment = {
    AI_MODEL: 'compatible:scripted',
    AI_BASE_URL: `${model.url}/v1`,
    PUBLIC_URL: 'http://localhost',
  };
  const service = await stage.startService({ databaseUrl, environment });
  const person = await service.ask<BenchPerson>('person', 'web');
  const browser = await chromium.launch({ executablePath: chromiumPath ?? 'chromium', args: ['--no-sandbox'] });
  const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1280, height: 800 } });
  await context.addInitScript({ path: join(import.meta.dirname, 'probe.js') });
  const token = await service.ask<string>('linkToken', person.userId);
  const data = { token, password: 'correct horse battery staple' };
  const answer = await context.request.post('/auth/sign-in/link', { data });
  if (!answer.ok()) throw new Error(`Signing in failed: ${answer.status()} ${await answer.text()}`);
  return { databaseUrl, service, model, person, context, close: () => browser.close() };
}

/**
 * Has the model asked for an answer that comes on this schedule, and waits until the page shows that it will come, and until
 * the model was asked: it would not hear who told it to speak before.
 */
export async function askFor(site: Site, page: Page, schedule: object): Promise<void> {
  await site.model.ask('schedule', schedule);
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  await composer.fill('Tell me.');
  await composer.press('Enter');
  await page.getByText('The assistant is answering.').waitFor({ state: 'attached' });
  while ((await site.model.ask<number>('waiting')) === 0) await sleep(10);
}

/** Waits until the answer is complete, and the next message can be sent. */
export function answered(page: Page): Promise<void> {
  return page.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'detached' });
}
