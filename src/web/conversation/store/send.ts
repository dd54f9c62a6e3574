/** Sends a message. It is shown at once; if the service refuses it, the draft is restored. */
import { type Outcome, runMutation } from '../../api/client.js';
import { newIdempotencyKey } from '../../api/idempotency-key.js';
import { answerChoiceMutation, sendMessageMutation } from '../../api/posting-documents.js';
import { chosenModel } from '../composer/chosen-model.js';
import type { UploadedFile } from '../composer/draft-attachments.js';
import type { PendingMessage } from './conversation-state.js';
import type { ConversationStore } from './conversation-store.js';

export interface Draft {
  text: string;
  files: UploadedFile[];
  onBusy: 'REJECT' | 'INTERRUPT';
}

type Sent = Promise<Outcome<{ messageId: string }>>;

export function sendMessage(store: ConversationStore, threadId: string, { text, files, onBusy }: Draft): Sent {
  const attachmentIds = files.map(({ id }) => id);
  const pending = { key: newIdempotencyKey(), text, attachmentNames: files.map(({ name }) => name), messageId: null };
  const input = { threadId, text, onBusy, attachmentIds, ...chosenModel(threadId), idempotencyKey: pending.key };
  return post(store, pending, () => runMutation(sendMessageMutation, { input }));
}

export interface ChosenAnswer {
  threadId: string;
  toolUseId: string;
  choice: string;
}

export function answerChoice(store: ConversationStore, answer: ChosenAnswer): Sent {
  const pending = { key: newIdempotencyKey(), text: answer.choice, attachmentNames: [], messageId: null };
  const input = { ...answer, ...chosenModel(answer.threadId), idempotencyKey: pending.key };
  return post(store, pending, () => runMutation(answerChoiceMutation, { input }));
}

async function post(store: ConversationStore, pending: PendingMessage, request: () => Sent): Sent {
  store.sending(pending);
  const outcome = await retryOnce(request);
  if (outcome.ok) store.posted(pending, outcome.value.messageId);
  else store.notPosted(pending);
  return outcome;
}

/** Retries once if no response arrived. The idempotency key ensures that the request takes effect once. */
export async function retryOnce<Value>(request: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
  const outcome = await request();
  return !outcome.ok && outcome.code === 'UNREACHABLE' ? request() : outcome;
}
