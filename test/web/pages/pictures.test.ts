/**
 * The pictures of README.md and docs/web-application.md, into the folder that `PICTURES` names:
 * `PICTURES=docs npx vitest run test/web/pages/pictures.test.ts`.
 */
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { addThreads } from '../../support/threads.js';
import { hasBrowser, type View, WebWorld } from '../browser.js';
import { manyDays, stageUsage } from '../staged-usage.js';
import { threadList } from './pages.js';

const folder = process.env['PICTURES'];
const desktop: View = { width: 1200, height: 720, scale: 1.5 };
const phone: View = { width: 390, height: 800, scale: 2, isTouch: true };
const views: readonly [string, View][] = [
  ['desktop', desktop],
  ['desktop-dark', { ...desktop, dark: true }],
  ['phone-light', phone],
  ['phone', { ...phone, dark: true }],
];

const question = 'Our nightly import sometimes runs twice. How do we make it safe to repeat?';

const answer = `Give each run a name, and claim it first:

1. **Name the run**, for example by its day.
2. **Claim the name.** Whoever comes second finds it taken, and leaves.
3. **Write the orders in the same transaction**, so that half an import never stays.

\`\`\`ts
async function run(name: string) {
  const isMine = await claim(name);
  if (!isMine) return 'done before';
  return importOrders(name);
}
\`\`\`

This holds however often it is started, and on however many machines.
`;

const hourMs = 3_600_000;

describe.skipIf(!hasBrowser || !folder)('pictures (skipped: needs a browser, and a folder in PICTURES)', () => {
  it('shows a conversation beside the threads of a team, their list on a phone, and the settings', async () => {
    const world = await WebWorld.start();
    const ada = await stagePeople(world);
    world.service.model.respond(() => [text(answer)]);
    const { threadId } = await ada.rest.readyThread({ text: question, name: 'An import that is safe to repeat' });
    for (const [name, view] of views) {
      const page = await world.open(ada, `/threads/${threadId}`, view);
      await page.locator('.hljs-keyword').first().waitFor();
      // The font of code is used from the second page on.
      await page.reload();
      await page.locator('.hljs-keyword').first().waitFor();
      await page.screenshot({ path: join(folder ?? '', `conversation-${name}.png`) });
    }
    const list = await world.open(ada, '/', phone);
    await threadList(list).nth(5).waitFor();
    await list.screenshot({ path: join(folder ?? '', 'threads-phone.png') });
    await stageUsage(world, ada, manyDays([ada.id]));
    const settings = await world.open(ada, '/settings/usage', { ...desktop, dark: true });
    await settings.getByRole('table', { name: 'By model' }).waitFor();
    await settings.screenshot({ path: join(folder ?? '', 'settings-desktop-dark.png') });
    await world.stop();
  }, 120_000);
});

/** Two colleagues with threads in several states. Gives one of them. */
async function stagePeople({ service }: WebWorld): Promise<Person> {
  const ada = await service.person({ org: 'acme', name: 'Ada Lovelace', role: 'admin' });
  const grace = await service.person({ org: 'acme', name: 'Grace Hopper' });
  const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * hourMs);
  await addThreads(service, ada, [
    { name: 'Notes for my talk in Oslo', isPrivate: true, createdAt: at(26) },
    { name: 'Which index for this query?', state: 'interrupted', createdAt: at(75) },
    { name: 'Names for the new warehouse', createdAt: at(150) },
  ]);
  await addThreads(service, grace, [
    { name: 'Release notes for version 4', state: 'active', createdAt: at(0) },
    { name: 'Interviews, in short', createdAt: at(50) },
  ]);
  return ada;
}
