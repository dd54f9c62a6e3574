/** Every page of the application with something on it, for whoever looks at all of them. */
import type { Page } from 'playwright-core';
import { httpError, text, toolCall } from '../support/model-script.js';
import type { Person } from '../support/service.js';
import type { WebWorld } from './browser.js';
import { composer, seen } from './pages.js';

export interface StagedPage {
  name: string;
  /** For nobody who is signed in. */
  isPublic?: boolean;
  open: (page: Page) => Promise<void>;
}

const answer = `Here is a plan, in three steps:

1. **Collect** what is there.
2. *Sort* it, with [a tool](https://example.com/tool).
3. Write it down:

\`\`\`ts
export function plan(steps: readonly string[]): string {
  return steps.map((step, index) => \`\${index + 1}. \${step}\`).join('\\n');
}
\`\`\`

| step | who | when |
|---|---|---|
| Collect | Ada | Monday |
| Sort | Grace | Tuesday |

> Better a short list that is done than a long one that is not.
`;

/** Makes threads in several states for the person, and gives the pages that show them. */
export async function stagePages(world: WebWorld, { rest }: Person): Promise<StagedPage[]> {
  const { model } = world.service;
  model.respond(() => [text(answer)]);
  const question = { question: 'Which of them first?', choices: ['The garden', 'The cellar', 'The roof'] };
  const talk = await rest.readyThread({ text: 'How shall we plan the move?', name: 'Planning the move' });
  model.enqueue([text('Before I go on:\n'), ...toolCall({ id: 'c1', name: 'user_get_choice', arguments: question })]);
  const asked = await rest.readyThread({ text: 'Help me to choose', name: 'What to begin with', is_private: true });
  model.enqueue([httpError(400, { message: 'No.' })]);
  const failed = await rest.createThread({ text: 'This one fails', name: 'A thread that fails' });
  return [
    { name: 'sign-in', isPublic: true, open: (page) => show(page, '/', () => page.getByLabel('Password').waitFor()) },
    {
      name: 'threads',
      open: (page) =>
        show(page, '/', () =>
          page.getByRole('link', { name: /fails/ }).or(page.locator('.new-thread')).first().waitFor(),
        ),
    },
    { name: 'new', open: (page) => show(page, '/new', () => composer(page).waitFor()) },
    {
      name: 'conversation',
      open: (page) => show(page, `/threads/${talk.threadId}`, () => page.locator('.hljs-keyword').first().waitFor()),
    },
    {
      name: 'choice',
      open: (page) => show(page, `/threads/${asked.threadId}`, () => seen(page, 'Which of them first?')),
    },
    {
      name: 'error',
      open: (page) => show(page, `/threads/${failed.threadId}`, () => seen(page, 'The assistant failed.')),
    },
    {
      name: 'missing',
      open: (page) => show(page, '/threads/thr_none', () => page.getByText('no such thread').waitFor()),
    },
    { name: 'account', open: (page) => show(page, '/settings', () => page.getByText('Sign out everywhere').waitFor()) },
    { name: 'tokens', open: (page) => show(page, '/settings/tokens', () => page.getByText('Ends after').waitFor()) },
    { name: 'members', open: (page) => show(page, '/settings/members', () => page.getByText(/^Members of/).waitFor()) },
  ];
}

async function show(page: Page, path: string, isThere: () => Promise<void>): Promise<void> {
  await page.goto(path);
  await isThere();
}
