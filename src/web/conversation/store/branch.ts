/**
 * Edits a message, asks for another answer, and changes between the branches that result. The conversation is cut off before the
 * message at once; if the service refuses, what was cut off is loaded again.
 */
import { editMessageMutation, regenerateMutation, selectVariantMutation } from '../../api/branch-documents.js';
import { type Outcome, runMutation } from '../../api/client.js';
import { newIdempotencyKey } from '../../api/idempotency-key.js';
import type { Message } from '../../api/types.js';
import { chosenModel } from '../composer/chosen-model.js';
import type { PendingMessage } from './conversation-state.js';
import type { ConversationStore } from './conversation-store.js';
import { retryOnce } from './send.js';

type Sent = Promise<Outcome<{ messageId: string }>>;

/** Resolves to whether the service accepted the new text. If it did not, the editor opens again with the reason. */
export function editMessage(store: ConversationStore, message: Message, text: string): Promise<boolean> {
  const send = (idempotencyKey: string) =>
    runMutation(editMessageMutation, {
      input: { messageId: message.id, text, ...chosenModel(store.threadId), idempotencyKey },
    });
  return branch(store, { message, text, isEditing: true, send });
}

/** Asks for another answer to a user message. */
export function regenerate(store: ConversationStore, message: Message): Promise<boolean> {
  const text = message.contents.map((block) => (block.__typename === 'TextBlock' ? block.text : '')).join('');
  const send = (idempotencyKey: string) =>
    runMutation(regenerateMutation, {
      input: { messageId: message.id, ...chosenModel(store.threadId), idempotencyKey },
    });
  return branch(store, { message, text, isEditing: false, send });
}

interface Branch {
  message: Message;
  text: string;
  isEditing: boolean;
  send: (idempotencyKey: string) => Sent;
}

async function branch(store: ConversationStore, { message, text, isEditing, send }: Branch): Promise<boolean> {
  const attachmentNames = message.attachments.map(({ name }) => name);
  const pending: PendingMessage = { key: newIdempotencyKey(), text, attachmentNames, messageId: null };
  store.branching(message.id, pending);
  const outcome = await retryOnce(() => send(pending.key));
  if (outcome.ok) store.posted(pending, outcome.value.messageId);
  else {
    store.notPosted(pending);
    store.setBranching({ messageId: message.id, isEditing, problem: outcome.message });
    void store.refresh();
  }
  return outcome.ok;
}

/** Shows another variant of a message, and what followed it. Resolves to whether the service accepted that. */
export async function selectVariant(store: ConversationStore, message: Message, id: string): Promise<boolean> {
  const outcome = await runMutation(selectVariantMutation, { messageId: id });
  if (outcome.ok) await store.open(id);
  else store.setBranching({ messageId: message.id, isEditing: false, problem: outcome.message });
  return outcome.ok;
}
