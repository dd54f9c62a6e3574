/** Sends messages. Each is shown at once; if the service refuses it, the draft or what it replaced is restored. */
import { type Outcome, runMutation } from '../../api/client.js';
import { newIdempotencyKey } from '../../api/idempotency-key.js';
import {
  answerChoiceMutation,
  editMessageMutation,
  regenerateMutation,
  sendMessageMutation,
} from '../../api/posting-documents.js';
import type { Message } from '../../api/types.js';
import { chosenModel } from '../composer/chosen-model.js';
import type { UploadedFile } from '../composer/draft-attachments.js';
import type { PendingMessage } from './conversation-state.js';
import type { ConversationStore } from './conversation-store.js';
import { textOf } from './message-window.js';

export interface Draft {
  text: string;
  files: UploadedFile[];
  onBusy: 'REJECT' | 'INTERRUPT';
  /** Its idempotency key. */
  key: string;
}

type Sent = Promise<Outcome<{ messageId: string }>>;

export function sendMessage(store: ConversationStore, { text, files, onBusy, key }: Draft): Sent {
  const { threadId } = store;
  const attachmentIds = files.map(({ id }) => id);
  const input = { threadId, text, onBusy, attachmentIds, ...chosenModel(threadId) };
  return post(store, { text, attachmentNames: files.map(({ name }) => name), key }, (idempotencyKey) =>
    runMutation(sendMessageMutation, { input: { ...input, idempotencyKey } }),
  );
}

export function answerChoice(store: ConversationStore, toolUseId: string, choice: string): Sent {
  const { threadId } = store;
  const input = { threadId, toolUseId, choice, ...chosenModel(threadId) };
  return post(store, { text: choice, attachmentNames: [] }, (idempotencyKey) =>
    runMutation(answerChoiceMutation, { input: { ...input, idempotencyKey } }),
  );
}

/** Sends a message anew with another text. If the service refuses that, the editor opens again with the reason. */
export function editMessage(store: ConversationStore, message: Message, text: string): Sent {
  const input = { messageId: message.id, text, ...chosenModel(store.threadId) };
  return post(store, { text, ...placeOf(message), isEditing: true }, (idempotencyKey) =>
    runMutation(editMessageMutation, { input: { ...input, idempotencyKey } }),
  );
}

/** Asks for another answer to a user message. */
export function regenerate(store: ConversationStore, message: Message): Sent {
  const input = { messageId: message.id, ...chosenModel(store.threadId) };
  return post(store, { text: textOf(message), ...placeOf(message) }, (idempotencyKey) =>
    runMutation(regenerateMutation, { input: { ...input, idempotencyKey } }),
  );
}

function placeOf({ id, attachments }: Message) {
  return { replaced: id, attachmentNames: attachments.map(({ name }) => name) };
}

interface Posted extends Pick<PendingMessage, 'text' | 'attachmentNames'> {
  /** A new one where it is left out. */
  key?: string;
  replaced?: string;
  isEditing?: boolean;
}

async function post(
  store: ConversationStore,
  { replaced, isEditing = false, key = newIdempotencyKey(), ...message }: Posted,
  request: (idempotencyKey: string) => Sent,
): Sent {
  const edited = isEditing ? store.getState().branching : null;
  store.dispatch({ type: 'messageSent', ...message, key, replaced: replaced ?? null });
  const outcome = await retryOnce(() => request(key));
  if (outcome.ok) store.dispatch({ type: 'messageAccepted', key, messageId: outcome.value.messageId });
  else {
    const branching = replaced ? { ...edited, messageId: replaced, isEditing, problem: outcome.message } : null;
    store.dispatch({ type: 'messageRefused', key, branching });
  }
  if (outcome.ok || replaced || outcome.code === 'IDEMPOTENCY_KEY_REUSED') void store.refresh();
  return outcome;
}

/** Retries once if no response arrived. The idempotency key ensures that the request takes effect once. */
export async function retryOnce<Value>(request: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
  const outcome = await request();
  return !outcome.ok && outcome.code === 'UNREACHABLE' ? request() : outcome;
}
