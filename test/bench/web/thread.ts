/** A thread for the page to show: some turns, as people and models write them. */
import { idle } from '../stage/idle.js';
import { longAnswer } from './long-answer.js';
import type { Site } from './site.js';

const turns = 4;
const tokensOfAnswer = 450;

/** Makes it, and waits until all is answered. Gives its id. */
export async function makeThread({ service, model, person, databaseUrl }: Site): Promise<string> {
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' };
  const post = async (path: string, text: string) => {
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ text }),
    });
    if (!answer.ok) throw new Error(`POST ${path} → ${answer.status} ${await answer.text()}`);
    const { thread_id: threadId } = (await answer.json()) as { thread_id: string };
    while ((await model.ask<number>('waiting')) === 0) await new Promise(setImmediate);
    await model.ask('speak');
    await idle(databaseUrl);
    return threadId;
  };
  await model.ask('schedule', { tokens: tokensOfAnswer, perSecond: 5000, words: longAnswer(tokensOfAnswer) });
  const threadId = await post('/threads', 'What is kept, and for how long?');
  for (let turn = 1; turn < turns; turn += 1) await post(`/threads/${threadId}/messages`, 'And then?');
  return threadId;
}
