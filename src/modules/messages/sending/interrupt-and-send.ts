/**
 * Sends a message to a busy thread: stops the running response and sends the message as soon as that is stored. The
 * sending statement is the usual conditional one, so of several concurrent senders one succeeds, and the others stop
 * its response in turn or fail in the end.
 */
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { ThreadNotReadyError } from '../../../errors.js';
import { type StopOptions, stopResponse } from '../../responses/stop-response.js';
import type { KeyedRequest } from './idempotency.js';
import { type NewMessage, sendMessage } from './post-message.js';
import type { PostedMessage } from './posted-message.js';

const tries = 5;

/**
 * Throws like `sendMessage`, but a `ThreadNotReadyError` only for `error` or if others were faster each time, and an
 * `UnavailableError` if the response cannot be stopped or the caller leaves.
 */
export async function interruptAndSend(
  database: PrismaClient,
  request: KeyedRequest,
  { signal, ...message }: NewMessage & Pick<StopOptions, 'signal'>,
): Promise<PostedMessage> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendMessage(database, request, { ...message, from: ['ready', 'interrupted'] });
    } catch (error) {
      if (!(error instanceof ThreadNotReadyError) || error.state === 'error' || attempt === tries) throw error;
      await stopLiveResponse(database, request, { threadId: message.threadId, signal });
    }
  }
}

async function stopLiveResponse(
  database: PrismaClient,
  { viewer }: KeyedRequest,
  { threadId, signal }: { threadId: string } & Pick<StopOptions, 'signal'>,
): Promise<void> {
  const live = await database.response.findFirst({
    where: { threadId, status: { in: ['queued', 'running'] } },
    select: { messageId: true },
  });
  const reason = `Interrupted by a newer message of ${viewer.name ?? 'a user without a name'}.`;
  if (live) await stopResponse(database, { viewer, messageId: live.messageId, reason, signal });
}
