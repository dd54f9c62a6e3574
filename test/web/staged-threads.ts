/** Threads in every state that a page can show, for tests that visit all pages. */
import { readFile } from 'node:fs/promises';
import { createThreadWith, uploadFile } from '../graphql/attachments/attached-file.js';
import { Branching } from '../graphql/messages/branch-operations.js';
import type { Sent } from '../support/clients/rest-client.js';
import { gate, httpError, reasoning, text, toolCall, wait } from '../support/model/model-script.js';
import type { Person, TestService } from '../support/service.js';
import { addThreads, colleagueOf } from '../support/threads.js';
import type { WebWorld } from './browser.js';
import { richAnswer } from './rich-answer.js';

export interface StagedThreads {
  /** A question and an answer with everything that Markdown has. */
  talk: Sent;
  /** A picture and a document in the question; in the answer every part that an answer can have, and thinking before it. */
  rich: Sent;
  /** Has a second version of its answer. */
  branched: Sent;
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
  await stageList(service, person);
  const rich = await richThread(service, person);
  const branched = await rest.readyThread({ text: 'Which way shall we go?', name: 'Two ways to go' });
  await rest.answer(await regenerated(service, person, branched));
  const talk = await rest.readyThread({ text: 'How shall we plan the move?', name: 'Planning the move' });
  await tag(person, { id: talk.threadId, tags: ['move', 'Q3 budget', 'a rather long tag for a house'] });
  const question = { question: 'Which of them first?', choices: ['The garden', 'The cellar', 'The roof'] };
  model.enqueue([text('Before I go on:\n'), ...toolCall({ id: 'c1', name: 'user_get_choice', arguments: question })]);
  const asked = await rest.readyThread({ text: 'Help me to choose', name: 'What to begin with', is_private: true });
  model.enqueue([httpError(400, { message: 'No.' })]);
  const failed = await rest.createThread({ text: 'This one fails', name: 'A thread that fails' });
  await rest.streamToEnd(failed);
  const stopped = await stoppedThread(service, person);
  const growing = () => {
    model.enqueue([text('Step by step, then. The first'), wait(gate().passed)]);
    return rest.createThread({ text: 'Tell me more', name: 'An answer on its way' });
  };
  return { talk, rich, branched, asked, failed, stopped, growing };
}

/** Threads without messages, whose names have what names can have, some of a colleague. */
async function stageList(service: TestService, person: Person): Promise<void> {
  const grace = await colleagueOf(service, person, { name: 'Grace Brewster Murray Hopper' });
  const names = [
    'Release notes',
    'خطة الانتقال إلى المكتب الجديد',
    '新しい倉庫への移転計画',
    'Interviews, in short',
    'Budget 2027',
  ];
  const seeds = [...names, 'A name that is far too long for one line of the list, whatever the width of the window'];
  const createdAt = (index: number) => new Date(Date.now() - index * 30 * 3_600_000);
  await addThreads(
    service,
    grace,
    seeds.map((name, index) => ({ name, createdAt: createdAt(index) })),
  );
  const mine = Array.from({ length: 12 }, (_, index) => ({ name: `Notes of week ${index + 30}` }));
  await addThreads(
    service,
    person,
    mine.map(({ name }, index) => ({ name, isPrivate: index % 4 === 0, createdAt: createdAt(3 * index) })),
  );
}

async function richThread(service: TestService, person: Person): Promise<Sent> {
  const picture = await readFile(new URL('../../src/web/public/icon-512.png', import.meta.url));
  const files = [
    { name: 'the logo.png', mediaType: 'image/png', content: new Uint8Array(picture) },
    {
      name: 'orders-of-november-2026.csv',
      mediaType: 'text/csv',
      content: new Uint8Array(Buffer.from('id,day\n1,24\n')),
    },
  ];
  const attachmentIds = await Promise.all(files.map((file) => uploadFile(service, person, file)));
  service.model.enqueue([
    reasoning('They want to know how the import behaves. I begin with its cost.'),
    text(richAnswer),
  ]);
  const question = 'How does our import behave, and what does it cost?\nPlease be thorough.';
  const sent = sentOf(await createThreadWith(service, person, { text: question, attachmentIds }));
  await person.rest.answer(sent);
  return sent;
}

async function regenerated(service: TestService, person: Person, { messageId }: Sent): Promise<Sent> {
  service.model.enqueue([text('By the river. It takes longer, but it is *flat*.')]);
  return sentOf(await new Branching(person).regenerate(messageId));
}

function sentOf({ threadId, messageId, ...refusal }: { threadId: string; messageId: string }): Sent {
  if (!threadId) throw new Error(`The message was refused: ${JSON.stringify(refusal)}`);
  return { threadId, messageId };
}

async function tag({ graphql }: Person, input: { id: string; tags: string[] }): Promise<void> {
  const document = `mutation ($id: ID!, $tags: [String!]!) { setThreadTags(input: {id: $id, tags: $tags}) { __typename } }`;
  await graphql.data(document, input);
}

/** Gives the id of a thread whose answer was stopped in its middle. */
async function stoppedThread({ model }: TestService, person: Person): Promise<string> {
  model.enqueue([text('First, the kitchen. Then'), wait(gate().passed)]);
  const name = 'An answer that was stopped, in a thread with a rather long name';
  const sent = await person.rest.createThread({ text: 'Where shall I begin?', name });
  for await (const { event } of await person.rest.stream(sent)) if (event === 'token') break;
  await person.graphql.data('mutation ($id: ID!) { stopResponse(messageId: $id) { __typename } }', {
    id: sent.messageId,
  });
  return sent.threadId;
}
