/** What every example does, and what does not depend on its client: the outcomes of a message, and the text of a response. */
import type { Page, ResponseEvent, SendResult, ThreadsChange } from './documents.js';
import { RefusedError, resume } from './resume.js';

export interface Server {
  /** For example `http://localhost:4000`. */
  origin: string;
  /** A personal access token. */
  token: string;
}

/** Where a message is. */
export interface Place {
  threadId: string;
  messageId: string;
}

/** What became of a message. */
export type Sent = { messageId: string } | { tryAgain: 'when ready' | 'soon' } | { refused: string };

export interface Chat {
  /** The names of all threads, read page by page. */
  threadNames(pageSize: number): Promise<string[]>;
  send(threadId: string, text: string): Promise<Sent>;
  /** The text of a response so far, each time that it grows, to its end. */
  responseText(message: Place): AsyncGenerator<string>;
  /** What happens to the list of threads, for as long as you like. */
  changes(after?: string | null): AsyncGenerator<ThreadsChange>;
  close(): void;
}

/**
 * Reads pages to the end of the list. A cursor holds a position: it stays right while threads move, and does not expire. Only
 * `hasNextPage` tells the end: a search may end a page early, without any thread.
 */
export async function allNames(read: (after: string | null) => Promise<Page>): Promise<string[]> {
  const names: string[] = [];
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: Page = await read(after);
    for (const { node } of edges) names.push(node.name ?? 'untitled');
    if (!pageInfo.hasNextPage) return names;
    after = pageInfo.endCursor;
  }
}

/** Each outcome of `sendMessage` has a type. The last line does not compile once the schema has one that is not handled. */
export function explain(result: SendResult): Sent {
  switch (result.__typename) {
    case 'PostedMessage':
      return { messageId: result.messageId };
    case 'ThreadNotReadyError':
      // In WAITING and ACTIVE a response is on its way: follow it, then send.
      return result.state === 'WAITING' || result.state === 'ACTIVE'
        ? { tryAgain: 'when ready' }
        : { refused: result.message };
    case 'IdempotencyKeyInUseError':
      return { tryAgain: 'soon' };
    case 'InvalidInputError':
      return { refused: result.problems.map(({ field, message }) => `${field} ${message}`).join(', ') };
    case 'NotFoundError':
    case 'IdempotencyKeyReusedError':
    case 'BudgetExceededError':
      return { refused: result.message };
    default:
      return { refused: `an outcome that is newer than this program: ${result satisfies never}` };
  }
}

type Open<Event> = (after: string | null) => AsyncIterable<Event>;

/** Follows a response to its end. Throws `RefusedError` where it ends with `ResponseError`. */
export async function* followText(open: Open<ResponseEvent>): AsyncGenerator<string> {
  let text = '';
  const isLast = ({ __typename }: ResponseEvent) => __typename === 'ResponseDone' || __typename === 'ResponseError';
  for await (const event of resume({ open, isLast })) {
    if (event.__typename === 'ResponseError') throw new RefusedError(event.code, event.message);
    // The attempt was lost, and the next one says everything anew.
    if (event.__typename === 'ResponseRestarted') text = '';
    else if (event.__typename === 'ResponseToken') text += event.token;
    else continue;
    yield text;
  }
}

/** Follows the list of threads; it has no last event. Keep the cursors, and `after` bridges a week offline just as well. */
export function followChanges(open: Open<ThreadsChange>, after: string | null = null): AsyncGenerator<ThreadsChange> {
  return resume({ open, after, isLast: () => false });
}
