/** Threads in every state that a page can show, for tests that visit all pages. */

import type { Sent } from '../support/clients/rest-client.js';
import { gate, httpError, text, toolCall, wait } from '../support/model/model-script.js';
import type { Person } from '../support/service.js';
import { addThread } from '../support/threads.js';
import type { WebWorld } from './browser.js';

export interface StagedThreads {
  /** A question and an answer with everything that Markdown has. */
  talk: Sent;
  /** Ends with a question of the assistant. */
  asked: Sent;
  failed: Sent;
  /** The id of a thread that was interrupted. */
  stopped: string;
  /** Makes another one, with an answer that stays in its middle until the service gives it up. */
  growing: () => Promise<Sent>;
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

/** Makes the threads, the newest last. */
export async function stageThreads({ service }: WebWorld, person: Person): Promise<StagedThreads> {
  const [{ model }, { rest }] = [service, person];
  model.respond(() => [text(answer)]);
  const talk = await rest.readyThread({ text: 'How shall we plan the move?', name: 'Planning the move' });
  const question = { question: 'Which of them first?', choices: ['The garden', 'The cellar', 'The roof'] };
  model.enqueue([text('Before I go on:\n'), ...toolCall({ id: 'c1', name: 'user_get_choice', arguments: question })]);
  const asked = await rest.readyThread({ text: 'Help me to choose', name: 'What to begin with', is_private: true });
  model.enqueue([httpError(400, { message: 'No.' })]);
  const failed = await rest.createThread({ text: 'This one fails', name: 'A thread that fails' });
  await rest.streamToEnd(failed);
  const stopped = await addThread(service, person, {
    name: 'An answer that was stopped, in a thread with a rather long name',
    state: 'interrupted',
  });
  const growing = () => {
    model.enqueue([text('Step by step, then. The first'), wait(gate().passed)]);
    return rest.createThread({ text: 'Tell me more', name: 'An answer on its way' });
  };
  return { talk, asked, failed, stopped, growing };
}
