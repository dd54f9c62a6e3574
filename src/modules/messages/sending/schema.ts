/** The mutations that send a message to a new or an existing thread. */
import { builder, ErrorInterface } from '../../../builder.js';
import { maximumAttachments, statedLimit } from '../../../contract.js';
import {
  BudgetExceededError,
  IdempotencyKeyInUseError,
  IdempotencyKeyReusedError,
  InvalidInputError,
  NotFoundError,
  ThreadNotReadyError,
} from '../../../errors.js';
import { attachmentBlocks } from '../../attachments/claim.js';
import { modelDescription } from '../../models/schema.js';
import { ThreadState } from '../../threads/schema.js';
import { interruptAndSend } from './interrupt-and-send.js';
import { createThread, sendMessage } from './post-message.js';
import { PostedMessageType } from './posted-message-schema.js';
import { sendOnce } from './send-once.js';

builder.objectType(ThreadNotReadyError, {
  name: 'ThreadNotReadyError',
  description: 'The thread accepts no messages in its present state.',
  interfaces: [ErrorInterface],
  fields: (t) => ({ state: t.expose('state', { type: ThreadState, description: 'The present state of the thread.' }) }),
});

builder.objectType(IdempotencyKeyReusedError, {
  name: 'IdempotencyKeyReusedError',
  description: 'The idempotency key was used for a different request before. Nothing was changed.',
  interfaces: [ErrorInterface],
});

builder.objectType(IdempotencyKeyInUseError, {
  name: 'IdempotencyKeyInUseError',
  description: 'The first request with this idempotency key is still running. Try again later.',
  interfaces: [ErrorInterface],
});

/** The errors of every mutation that sends a message. */
export const sendingErrors = [BudgetExceededError, IdempotencyKeyReusedError, IdempotencyKeyInUseError];
export const keyDescription = `Identifies this request: ${statedLimit('key')}. A repeated request with the same key within 24 hours returns the first result and changes nothing. In another mutation, or for another thread or message, the same key identifies another request.`;

const newModelDescription =
  'Id of the model that generates the responses, one of `models`, until another one is chosen. Default: the default model.';

const attachmentsDescription = `Ids of at most ${maximumAttachments} of your attachments to send with the text, in this order. Each must be uploaded and not sent before.`;

const CreateThreadInput = builder.inputType('CreateThreadInput', {
  description: 'A new thread.',
  fields: (t) => ({
    text: t.string({
      required: true,
      description: `Text of the first message, ${statedLimit('message')}; with attachments it may also be empty.`,
    }),
    name: t.string({ description: `Display name, ${statedLimit('name')}.` }),
    isPrivate: t.boolean({ description: 'Whether only you can see the thread. Default: false.' }),
    model: t.id({ description: newModelDescription }),
    attachmentIds: t.idList({ description: attachmentsDescription }),
    idempotencyKey: t.string({ description: keyDescription }),
  }),
});

builder.mutationField('createThread', (t) =>
  t.field({
    type: PostedMessageType,
    description: 'Creates a thread with its first message and queues a response.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, ...sendingErrors] },
    args: { input: t.arg({ type: CreateThreadInput, required: true, description: 'The new thread.' }) },
    resolve: (_root, { input }, context) => {
      const { database, viewer } = context;
      const { idempotencyKey: key, model = null } = input;
      const texts = [...checkedText(input), { field: 'name', value: input.name, limit: 'name' } as const];
      const thread = { text: input.text, name: input.name ?? null, isPrivate: input.isPrivate ?? false };
      const ids = input.attachmentIds ?? [];
      const body = { ...thread, ...named(ids) };
      return sendOnce(context, { operation: 'createThread', key, texts, body, model }, async (request) => {
        const attachments = await attachmentBlocks(database, viewer, ids);
        return createThread(database, request, { ...thread, model, attachments });
      });
    },
  }),
);

const OnBusy = builder.enumType('OnBusy', {
  description: 'What to do with a message to a thread whose response is queued or running.',
  values: {
    REJECT: { value: 'reject', description: 'Reject the message with `ThreadNotReadyError`, as REST does.' },
    INTERRUPT: {
      value: 'interrupt',
      description:
        'Stop the response, keep its text so far, and send the message. A thread in state `INTERRUPTED` accepts the message, too.',
    },
  } as const,
});

const SendMessageInput = builder.inputType('SendMessageInput', {
  description: 'A message to an existing thread.',
  fields: (t) => ({
    threadId: t.id({ required: true, description: 'Id of the thread.' }),
    text: t.string({
      required: true,
      description: `Text of the message, ${statedLimit('message')}; with attachments it may also be empty.`,
    }),
    model: t.id({ description: modelDescription }),
    attachmentIds: t.idList({ description: attachmentsDescription }),
    onBusy: t.field({
      type: OnBusy,
      required: true,
      defaultValue: 'reject',
      description: 'What to do if a response is queued or running.',
    }),
    idempotencyKey: t.string({ description: keyDescription }),
  }),
});

builder.mutationField('sendMessage', (t) =>
  t.field({
    type: PostedMessageType,
    description: 'Sends a message to a thread and queues a response.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, NotFoundError, ThreadNotReadyError, ...sendingErrors] },
    args: { input: t.arg({ type: SendMessageInput, required: true, description: 'The message.' }) },
    resolve: async (_root, { input }, context) => {
      const { database, viewer, presence, signal } = context;
      const { threadId, text, idempotencyKey: key, onBusy, model = null } = input;
      const ids = input.attachmentIds ?? [];
      const sendTo = onBusy === 'interrupt' ? interruptAndSend : sendMessage;
      const texts = checkedText(input);
      const sending = { operation: `sendMessage ${threadId}`, key, texts, body: { text, ...named(ids) }, model };
      const posted = await sendOnce(context, sending, async (request) => {
        const attachments = await attachmentBlocks(database, viewer, ids);
        return sendTo(database, request, { threadId, text, model, attachments, from: ['ready'], signal });
      });
      presence.endWriting({ threadId, userId: viewer.userId });
      return posted;
    },
  }),
);

/** A message with attachments needs no text: its contents are then the attachments alone. */
function checkedText({ text, attachmentIds }: { text: string; attachmentIds?: readonly string[] | null | undefined }) {
  const needsText = text !== '' || !attachmentIds?.length;
  return needsText ? [{ field: 'text', value: text, limit: 'message' } as const] : [];
}

/**
 * The part of the idempotency fingerprint for attachments. It is empty without attachments, so that older keys remain
 * valid.
 */
function named(attachmentIds: readonly string[]) {
  return attachmentIds.length > 0 ? { attachmentIds } : {};
}
