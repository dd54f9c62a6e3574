/** Sends a message. It is shown at once; what the service does not accept is given back to whoever wrote it. */
import { type Outcome, runMutation } from '../../api/client.js';
import { newIdempotencyKey } from '../../api/idempotency-key.js';
import { answerChoiceMutation, sendMessageMutation } from '../../api/posting-documents.js';
import type { UploadedFile } from '../composer/use-attachments.js';
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
  const input = { threadId, text, onBusy, attachmentIds, idempotencyKey: pending.key };
  return post(store, pending, () => runMutation(sendMessageMutation, { input }));
}

export interface ChosenAnswer {
  threadId: string;
  toolUseId: string;
  choice: string;
}

export function answerChoice(store: ConversationStore, answer: ChosenAnswer): Sent {
  const pending = { key: newIdempotencyKey(), text: answer.choice, attachmentNames: [], messageId: null };
  const input = { ...answer, idempotencyKey: pending.key };
  return post(store, pending, () => runMutation(answerChoiceMutation, { input }));
}

async function post(store: ConversationStore, pending: PendingMessage, request: () => Sent): Sent {
  store.sending(pending);
  const outcome = await retryOnce(request);
  if (outcome.ok) store.posted(pending, outcome.value.messageId);
  else store.notPosted(pending);
  return outcome;
}

/** Once more where no answer came: the key of the request makes sure that it happens once. */
export async function retryOnce<Value>(request: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
  const outcome = await request();
  return !outcome.ok && outcome.code === 'UNREACHABLE' ? request() : outcome;
}
