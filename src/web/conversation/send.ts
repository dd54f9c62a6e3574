/** Sends a message. It is shown at once; what the service does not accept is given back to whoever wrote it. */
import { change, type Outcome } from '../api/client.js';
import { answerChoiceMutation, sendMessageMutation } from '../api/posting-documents.js';
import { randomKey } from '../ui/random-key.js';
import type { ConversationStore } from './conversation-store.js';
import type { UploadedFile } from './use-attachments.js';

export interface Draft {
  text: string;
  files: UploadedFile[];
  onBusy: 'REJECT' | 'INTERRUPT';
}

type Sent = Promise<Outcome<{ messageId: string }>>;

export async function sendMessage(store: ConversationStore, threadId: string, { text, files, onBusy }: Draft): Sent {
  const pending = { key: randomKey(), text, attachmentNames: files.map(({ name }) => name) };
  store.setPending(pending);
  const attachmentIds = files.map(({ id }) => id);
  const input = { threadId, text, onBusy, attachmentIds, idempotencyKey: pending.key };
  const outcome = await again(() => change(sendMessageMutation, { input }));
  if (outcome.ok) store.posted(outcome.value.messageId);
  else store.setPending(null);
  return outcome;
}

export interface ChosenAnswer {
  threadId: string;
  toolUseId: string;
  choice: string;
}

export async function answerChoice(store: ConversationStore, answer: ChosenAnswer): Sent {
  const idempotencyKey = randomKey();
  store.setPending({ key: idempotencyKey, text: answer.choice, attachmentNames: [] });
  const outcome = await again(() => change(answerChoiceMutation, { input: { ...answer, idempotencyKey } }));
  if (outcome.ok) store.posted(outcome.value.messageId);
  else store.setPending(null);
  return outcome;
}

/** Once more where no answer came: the key of the request makes sure that it happens once. */
export async function again<Value>(request: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
  const outcome = await request();
  return !outcome.ok && outcome.code === 'UNREACHABLE' ? request() : outcome;
}
