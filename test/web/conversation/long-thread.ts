/** Threads with more messages than a page holds, and what the application asks of the service while one reads them. */
import type { Page, Request } from 'playwright-core';
import { createId } from '../../../src/ids.js';
import type { TestService } from '../../support/service.js';

const insertedAtOnce = 500;

export interface AddedMessages {
  threadId: string;
  count: number;
  /** What the first of them is called: `Message number N.`; the others count on. */
  from?: number;
}

/** Stores messages of the user and the assistant in a thread, and returns their ids. */
export async function addMessages(
  { service: { database } }: TestService,
  { threadId, count, from = 0 }: AddedMessages,
): Promise<string[]> {
  const { lastSequence } = await database.thread.findUniqueOrThrow({ where: { id: threadId } });
  const createdAt = new Date();
  const data = Array.from({ length: count }, (_, index) => ({
    id: createId('msg'),
    threadId,
    sequence: lastSequence + 2 * (index + 1),
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    contents: [{ type: 'text', text: `Message number ${from + index}. ${'Some more words. '.repeat(index % 30)}` }],
    createdAt,
  }));
  // A statement may take no longer on a busy machine than the service allows any statement to take.
  for (let done = 0; done < count; done += insertedAtOnce) {
    await database.message.createMany({ data: data.slice(done, done + insertedAtOnce) });
  }
  // Whoever follows the thread is told.
  await database.thread.update({
    where: { id: threadId },
    data: { lastSequence: lastSequence + 2 * count, updatedAt: createdAt },
  });
  return data.map(({ id }) => id);
}

export interface Asked {
  /** The queries for messages, by their names, in order. */
  queries: string[];
  /** How many messages came. */
  messages: number;
}

/** Keeps count of what the page asks for messages from now on. */
export function watchMessages(page: Page): Asked {
  const asked: Asked = { queries: [], messages: 0 };
  page.on('requestfinished', async (request) => {
    const name = queryName(request.postData());
    if (name === undefined) return;
    asked.queries.push(name);
    const body = await bodyOf(request);
    asked.messages += body.match(/"replyToId"/g)?.length ?? 0;
  });
  return asked;
}

/** Empty where the page is gone. */
async function bodyOf(request: Request): Promise<string> {
  try {
    return (await (await request.response())?.text()) ?? '';
  } catch {
    return '';
  }
}

/** The name of the query where it asks for messages. */
export function queryName(body: string | null): string | undefined {
  return /query (Conversation|ConversationAround|Messages|Summary)\b/.exec(body ?? '')?.[1];
}

/** How many messages are in the page. */
export function shown(page: Page): Promise<number> {
  return page.getByRole('article').count();
}

/**
 * Goes up or down as fast as it can until a message with the words is in the page, and gives the most messages that were in the
 * page at once.
 */
export function rush(page: Page, words: string, direction: 'up' | 'down'): Promise<number> {
  return page.evaluate(`(async () => {
    const scroller = document.querySelector('.messages-scroll');
    const articles = () => [...scroller.querySelectorAll('article')];
    let most = 0;
    scroller.dispatchEvent(new WheelEvent('wheel'));
    while (!articles().some(({ textContent }) => textContent.includes(${JSON.stringify(words)}))) {
      scroller.scrollTop = ${direction === 'up' ? 0 : 'scroller.scrollHeight'};
      await new Promise((resolve) => requestAnimationFrame(resolve));
      most = Math.max(most, articles().length);
    }
    return most;
  })()`);
}
